#!/usr/bin/env bash
# Makes dist/Minerva Desktop.app and a .dmg on macOS 13 or later, with Python 3.11 from python.org (universal builds of some
# wheels do not exist: build once on Intel and once on Apple silicon). The same steps as packaging/build, which was tried;
# this recipe has not been run yet on a Mac.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
python3.11 -m venv .venv-build
python=$root/.venv-build/bin/python
export PIP_CONSTRAINT=$root/packaging/constraints.txt MINERVA_BUILD_ICONS=$root/build/icons
"$python" -m pip wheel --no-deps --wheel-dir build/wheels "$root"
"$python" -m pip install build/wheels/*.whl "pyinstaller==6.22.3"
version=$("$python" -c 'import importlib.metadata as m; print(m.version("minerva-desktop"))')
"$python" packaging/draw_icons.py "$MINERVA_BUILD_ICONS"
(cd build && "$root/.venv-build/bin/pyinstaller" --noconfirm --distpath "$root/dist" --workpath "$root/build/work" "$root/build.spec")
app="dist/Minerva Desktop.app"
"$python" packaging/third_party_notices.py build/work "$app/Contents/Resources/THIRD_PARTY_NOTICES.txt"
"$app/Contents/MacOS/minerva-desktop" doctor
"$app/Contents/MacOS/minerva-desktop" bench smoke
# Without a Developer ID the program is signed for this machine only, and a person opens it the first time with a right click.
# With one: MINERVA_SIGN="Developer ID Application: …", then notarise the .dmg (xcrun notarytool submit … --wait; xcrun stapler).
codesign --force --deep --options runtime --entitlements packaging/macos/entitlements.plist --sign "${MINERVA_SIGN:--}" "$app"
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
cp -R "$app" "$staging/"
ln -s /Applications "$staging/Applications"
hdiutil create -volname "Minerva Desktop" -srcfolder "$staging" -ov -format ULFO \
  "dist/minerva-desktop-$version-macos-$(uname -m).dmg"
