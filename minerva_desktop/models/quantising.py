"""Makes int8 weights of fp32 ones, in a process of its own: ``python -P quantising.py MODEL TARGET``.

In a process of its own, because the tool takes some 500 MB, writes beside what it reads and sets up logging for everybody.
Nothing of the program is imported here.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path


def quantise(model: Path, target: Path) -> None:
    """Write ``target``, the weights of ``model`` as int8 with a scale for each channel.

    Seven bits (``reduce_range``), so that sums do not overflow on processors without instructions for int8 and vectors are
    the same everywhere.

    Raises:
        ImportError: the package ``onnx`` is not there.
        OSError: a file could not be read or written.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        for part in model.parent.glob(f"{model.name}*"):  # large weights are a file beside the model
            shutil.copyfile(part, Path(scratch) / part.name)
        made = Path(scratch) / "made.onnx"
        quantize_dynamic(
            str(Path(scratch) / model.name), str(made), per_channel=True, reduce_range=True, weight_type=QuantType.QInt8
        )
        made.replace(target)


if __name__ == "__main__":
    quantise(Path(sys.argv[1]), Path(sys.argv[2]))
