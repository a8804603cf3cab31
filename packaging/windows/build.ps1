# Makes dist\minerva-desktop and its installer on Windows 10 or later, with Python 3.11 and Inno Setup 6 (iscc on PATH).
# The same steps as packaging/build, which was tried; this recipe has not been run yet on a machine with Windows.
$ErrorActionPreference = "Stop"
$root = Resolve-Path "$PSScriptRoot\..\.."
Set-Location $root
python -m venv .venv-build
$python = "$root\.venv-build\Scripts\python.exe"
$env:PIP_CONSTRAINT = "$root\packaging\constraints.txt"
& $python -m pip wheel --no-deps --wheel-dir build\wheels $root
& $python -m pip install (Get-ChildItem build\wheels\*.whl).FullName "pyinstaller==6.22.3"
if ($LASTEXITCODE) { exit $LASTEXITCODE }
$env:MINERVA_VERSION = & $python -c "import importlib.metadata as m; print(m.version('minerva-desktop'))"
$env:MINERVA_BUILD_ICONS = "$root\build\icons"
& $python packaging\draw_icons.py $env:MINERVA_BUILD_ICONS
Push-Location build
& "$root\.venv-build\Scripts\pyinstaller.exe" --noconfirm --distpath "$root\dist" --workpath "$root\build\work" "$root\build.spec"
if ($LASTEXITCODE) { exit $LASTEXITCODE }
Pop-Location
& $python packaging\third_party_notices.py build\work dist\minerva-desktop\THIRD_PARTY_NOTICES.txt
if ($LASTEXITCODE) { exit $LASTEXITCODE }
& $python packaging\sizes.py dist\minerva-desktop
dist\minerva-desktop\minerva-desktop.exe doctor
dist\minerva-desktop\minerva-desktop.exe bench smoke
if ($LASTEXITCODE) { exit $LASTEXITCODE }
# An installer without a signature makes SmartScreen warn. With a certificate: signtool sign /fd sha256 /tr … here, on
# minerva-desktop.exe before this line and on the installer after it.
iscc packaging\windows\minerva-desktop.iss
