#!/bin/sh
# Minerva Desktop @VERSION@ for Linux (x86_64): one file that unpacks itself once for each version, and then starts at once.
# Usage: sh minerva-desktop.run [--install | --uninstall | --where | COMMAND …]
#   --install    add it to the menu of applications, with “Open with” for PDF files, and as ~/.local/bin/minerva-desktop,
#                in place of any version before
#   --uninstall  remove that, and all that was unpacked; libraries and settings stay
#   --where      print the folder it is unpacked into
# Anything else is handed to the program; with nothing the window opens. Below the line __DATA__ is a gzipped tar file.
set -eu
data_home=${XDG_DATA_HOME:-$HOME/.local/share}
versions=$data_home/minerva-desktop/program
here=$versions/@VERSION@-@DIGEST@
program=$here/minerva-desktop/minerva-desktop
link=$HOME/.local/bin/minerva-desktop

fail() { printf 'minerva-desktop: %s\n' "$*" >&2; exit 1; }

unpack() {
  [ -x "$program" ] && return 0
  mkdir -p "$versions" || fail "The folder $versions cannot be made. Set XDG_DATA_HOME to a folder you may write in."
  free=$(df -Pk "$versions" | awk 'NR == 2 { print $4 }')
  [ "$free" -gt @NEEDED@ ] || fail "Unpacking needs @NEEDED_MB@ MB in $versions, and $((free / 1024)) MB are free there."
  printf 'Unpacking Minerva Desktop @VERSION@ (once) …\n' >&2
  # Beside its place, then renamed: a start that is broken off leaves nothing that looks complete.
  part=$(mktemp -d "$versions/.unpacking-XXXXXX")
  trap 'rm -rf "$part"' EXIT INT TERM
  tail -n +@LINES@ "$0" | tar -xzf - -C "$part" || fail "The file is not complete. Download it again."
  [ -x "$part/minerva-desktop/minerva-desktop" ] || fail "The file is not complete. Download it again."
  mv "$part" "$here" 2>/dev/null || [ -x "$program" ] || fail "$here could not be made."
  rm -rf "$part"
  trap - EXIT INT TERM
}

# What lists the programs for each kind of file is made anew.
announce() {
  if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$data_home/applications" 2>/dev/null || true; fi
}

# The versions before this one, but for any that is running; nothing leads to them any more.
older() {
  for version in "$versions"/*; do
    [ "$version" != "$here" ] && [ -d "$version" ] || continue
    if ls -l /proc/[0-9]*/exe 2>/dev/null | grep -qF -- "-> $version/"; then continue; fi
    rm -rf "$version"
  done
}

menu() {
  mkdir -p "$data_home/applications" "$HOME/.local/bin"
  ln -sf "$program" "$link"
  for size in 16 24 32 48 64 128 256 512; do
    icons=$data_home/icons/hicolor/${size}x$size/apps
    mkdir -p "$icons"
    cp "$here/share/minerva-desktop-$size.png" "$icons/minerva-desktop.png"
  done
  # With its full path, since ~/.local/bin is not on every PATH. In quotes only where it must be: xdg-open takes them for a
  # part of the name.
  case $program in
    *[!A-Za-z0-9/._+@-]*) started="\"$program\"" ;;
    *) started=$program ;;
  esac
  sed -e "s|^Exec=minerva-desktop|Exec=$started|" -e "s|^TryExec=.*|TryExec=$program|" \
    "$here/share/minerva-desktop.desktop" >"$data_home/applications/minerva-desktop.desktop"
  announce
  older
  printf 'Minerva Desktop is in the menu of applications; in a terminal: %s\n' "$link" >&2
}

case "${1:-}" in
  --where) printf '%s\n' "$here" ;;
  --install) unpack; menu ;;
  --uninstall)
    rm -rf "$versions"
    rm -f "$link" "$data_home/applications/minerva-desktop.desktop" "$data_home"/icons/hicolor/*/apps/minerva-desktop.png
    rmdir "$data_home/minerva-desktop" 2>/dev/null || true
    announce
    printf 'Minerva Desktop was removed. Your libraries and settings are where they were.\n' >&2
    ;;
  *) unpack; exec "$program" "$@" ;;
esac
exit 0
__DATA__
