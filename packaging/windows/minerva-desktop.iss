; Inno Setup script: the installer for Windows, from dist\minerva-desktop. Run by windows\build.ps1.
; Installs for one person without administrator rights, or for all where they are given.
#define Version GetEnv("MINERVA_VERSION")

[Setup]
AppId={{8E0B5D0F-5C64-4D0E-9B54-6B3A2B6F6C51}
AppName=Minerva Desktop
AppVersion={#Version}
AppPublisher=The Minerva Desktop authors
LicenseFile=..\..\LICENSE
DefaultDirName={autopf}\Minerva Desktop
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
OutputDir=..\..\dist
OutputBaseFilename=minerva-desktop-{#Version}-windows-x86_64
SetupIconFile=..\..\build\icons\minerva-desktop.ico
UninstallDisplayIcon={app}\minerva-desktop.exe
Compression=lzma2/max
SolidCompression=yes
ChangesAssociations=yes

[Tasks]
Name: desktopicon; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked
Name: openwith; Description: "Offer Minerva Desktop in “Open with” for PDF, BibTeX and RIS files"

[Files]
Source: "..\..\dist\minerva-desktop\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{autoprograms}\Minerva Desktop"; Filename: "{app}\minerva-desktop.exe"
Name: "{autodesktop}\Minerva Desktop"; Filename: "{app}\minerva-desktop.exe"; Tasks: desktopicon

[Registry]
; “Open with” only: the program a person uses for PDF files stays their own.
Root: HKA; Subkey: "Software\Classes\MinervaDesktop.Document"; ValueType: string; ValueData: "Paper"; Flags: uninsdeletekey; Tasks: openwith
Root: HKA; Subkey: "Software\Classes\MinervaDesktop.Document\shell\open\command"; ValueType: string; ValueData: """{app}\minerva-desktop.exe"" open ""%1"""; Tasks: openwith
Root: HKA; Subkey: "Software\Classes\.pdf\OpenWithProgids"; ValueType: string; ValueName: "MinervaDesktop.Document"; Flags: uninsdeletevalue; Tasks: openwith
Root: HKA; Subkey: "Software\Classes\.bib\OpenWithProgids"; ValueType: string; ValueName: "MinervaDesktop.Document"; Flags: uninsdeletevalue; Tasks: openwith
Root: HKA; Subkey: "Software\Classes\.ris\OpenWithProgids"; ValueType: string; ValueName: "MinervaDesktop.Document"; Flags: uninsdeletevalue; Tasks: openwith

[Run]
Filename: "{app}\minerva-desktop.exe"; Description: "{cm:LaunchProgram,Minerva Desktop}"; Flags: nowait postinstall skipifsilent
