# Shared by demo, test and build: the system packages Qt needs, a Python, and an environment with pinned dependencies.
# shellcheck shell=bash disable=SC2034 # the variables are used by those that source this file

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=${MINERVA_VENV:-$root/.venv}
# Found by starting the window in a minimal Debian 12: the first six for any Qt program, then for an X display, then for
# Wayland. minerva_desktop/display.py names the same ones to a person who lacks them.
qt_packages="libglib2.0-0 libegl1 libgl1 libfontconfig1 libxkbcommon0 libdbus-1-3
 libxcb1 libx11-xcb1 libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-render-util0
 libxcb-shape0 libwayland-client0 libwayland-cursor0"

say() { printf '%s\n' "$*" >&2; }

# Install the named Debian packages that are missing; where that is not allowed, say which they are.
system_packages() {
  command -v dpkg-query >/dev/null || return 0
  local missing=() package
  for package in "$@"; do
    # Newer Debians and Ubuntus have some of them under a name with “t64” at its end.
    { dpkg-query -W -f '${Status}\n' "$package" "${package}t64" 2>/dev/null || true; } | grep -q 'ok installed' ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local become=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      become=(sudo -n)
    else
      say "Packages of the system are missing. Install them with: sudo apt-get install ${missing[*]}"
      return 0
    fi
  fi
  say "Installing system packages: ${missing[*]}"
  if ! "${become[@]}" apt-get -o DPkg::Lock::Timeout=120 update -qq >&2 ||
    ! "${become[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get -o DPkg::Lock::Timeout=120 install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; then
    say "They could not be installed (see above); going on without them."
  fi
}

find_python() {
  local candidate
  for candidate in python3.11 python3.12 python3.13 python3; do
    if command -v "$candidate" >/dev/null &&
      "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))'; then
      command -v "$candidate"
      return 0
    fi
  done
  return 1
}

# The packages that are missing for a Python with environments of its own; asked for together with the others, so that a
# person who has to install them by hand is told once.
python_packages() {
  local python
  ! "$venv/bin/python" -m pip --version >/dev/null 2>&1 || return 0
  python=$(find_python) || { echo python3 python3-venv; return 0; }
  "$python" -c 'import ensurepip' 2>/dev/null || echo "$(basename "$python")-venv"
}

# What stops a person here is most often the connection; pip's own words stand above.
not_installed() {
  say "The dependencies could not be installed (see above). They come from the package index that pip is set to: is there a
connection to it? What was installed so far is kept; the same command goes on."
  exit 1
}

# Make the environment and install the project with the extras named ("" for none); nothing is done twice.
environment() {
  local extras=$1 python stamp wanted
  if ! find_python >/dev/null; then system_packages python3; fi
  python=$(find_python) || { say "Minerva Desktop needs Python 3.11, 3.12 or 3.13; none was found."; exit 1; }
  if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    if ! "$python" -m venv "$venv" >/dev/null 2>&1; then
      system_packages python3-venv
      "$python" -m venv "$venv" >&2 || { say "The environment $venv could not be made; is python3-venv installed?"; exit 1; }
    fi
  fi
  wanted=$(cat "$root/pyproject.toml" "$root/packaging/constraints.txt" - <<<"$extras $root" | sha256sum | cut -c1-64)
  stamp="$venv/installed-$(printf '%s' "${extras:-run}" | tr -c '[:lower:]' '-')"
  if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    say "Installing Minerva Desktop and its pinned dependencies into $venv"
    # By variable, not by option, so that the tools that build the project are pinned as well.
    PIP_CONSTRAINT="$root/packaging/constraints.txt${PIP_CONSTRAINT:+ $PIP_CONSTRAINT}" "$venv/bin/python" -m pip \
      install --quiet --disable-pip-version-check -e "$root${extras:+[$extras]}" >&2 || not_installed
    printf '%s' "$wanted" >"$stamp"
    # Here rather than at the first question; where it cannot be done the program says why, and searches by words.
    "$venv/bin/python" -c 'from minerva_desktop.models.embedding_files import find; print(find(make=True).reason)' >&2
  fi
}

# Make the environment with the project's wheel (not the checkout) and the named packages in it, all pinned.
installed() {
  local python wheels
  if ! find_python >/dev/null; then system_packages python3; fi
  python=$(find_python) || { say "Minerva Desktop needs Python 3.11, 3.12 or 3.13; none was found."; exit 1; }
  if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    "$python" -m venv "$venv" >/dev/null 2>&1 || { system_packages python3-venv; "$python" -m venv "$venv" >&2; }
  fi
  wheels=$(mktemp -d)
  export PIP_CONSTRAINT="$root/packaging/constraints.txt${PIP_CONSTRAINT:+ $PIP_CONSTRAINT}"
  say "Building the wheel and installing it with its pinned dependencies into $venv"
  "$venv/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$wheels" "$root" >&2 ||
    not_installed
  "$venv/bin/python" -m pip uninstall --quiet --yes minerva-desktop >/dev/null 2>&1 || true
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$wheels"/*.whl "$@" >&2 || not_installed
  rm -rf "$wheels"
}

# Build the sample library in a scratch folder with the program named, and audit it; fails when it is not clean.
audited_demo() {
  local program=$1 scratch code=0
  scratch=$(mktemp -d)
  MINERVA_CONFIG_DIR=$scratch/config MINERVA_CACHE_DIR=$scratch/cache \
    "$program" --library "$scratch/library" --offline demo >/dev/null &&
    MINERVA_CONFIG_DIR=$scratch/config MINERVA_CACHE_DIR=$scratch/cache \
      "$program" --library "$scratch/library" --offline audit --strict || code=$?
  rm -rf "$scratch"
  [ "$code" -eq 0 ] || say "The sample library is not in order; this stops the build."
  return "$code"
}
