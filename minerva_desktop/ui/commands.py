"""Every command of the window, once: menus, shortcuts, tooltips, palette and help are made from this list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget


@dataclass(frozen=True, slots=True)
class Command:
    """``scope`` is "window", or the panel inside which its keys count (single letters live only there). ``shown``: its
    keys in words, where the panel itself binds them."""

    id: str
    title: str
    menu: str
    keys: tuple[str, ...] = ()
    tip: str = ""
    scope: str = "window"
    group: int = 0
    role: str = ""
    shown: str = ""


MENUS = ("File", "Edit", "Find", "Review", "Graph", "Values", "Ask", "View", "Help")

COMMANDS: tuple[Command, ...] = (
    Command("add-files", "Add Papers…", "File", ("Ctrl+O",), "Add PDF, Word, EPUB, HTML, LaTeX or other text files."),
    Command("add-folder", "Add Folder…", "File", ("Ctrl+Shift+O",), "Add every paper inside a folder."),
    Command("add-textbooks", "Add Textbooks…", "File", ("Ctrl+Shift+T",), "Add books that claims are checked with."),
    Command(
        "import", "Import Bibliography…", "File", ("Ctrl+I",), "BibTeX, RIS, CSL JSON, EndNote, Zotero; with files."
    ),
    Command("watch", "Watched Folders…", "File", (), "Folders whose new PDFs are read by themselves."),
    Command("load-sample", "Open the Sample Library", "File", (), "Invented papers to try, in a library of their own."),
    Command("own-library", "Back to My Library", "File", (), "Leave the sample library."),
    Command("export-gold", "Export Gold Set…", "File", (), "Your decisions, with what was read and where."),
    Command("rebuild", "Rebuild Graph and Index", "File", (), "Make graph and search index anew.", group=1),
    Command("audit", "Check the Library", "File", (), "Compare catalog, graph, index and files.", group=1),
    Command("lexicon", "Lexicon…", "Edit", ("Ctrl+L",), "Teach names, units and what to leave out.", group=2),
    Command("suggestions", "Lexicon Suggestions…", "Edit", (), "What your decisions would teach.", group=2),
    Command(
        "language-models",
        "Language Models…",
        "Edit",
        ("Ctrl+M",),
        "Invite a model, or none: which, for what, at what cost.",
        group=2,
    ),
    Command(
        "same-names", "Duplicate Names…", "Edit", ("Ctrl+Shift+D",), "Names that may stand for one thing.", group=2
    ),
    Command("duplicates", "Likely Duplicates…", "File", (), "Papers that look like one work.", group=1),
    Command(
        "notices", "Check for Retractions", "File", (), "Ask Crossref and OpenAlex about papers with a DOI.", group=1
    ),
    Command("job-history", "Job History…", "File", ("Ctrl+J",), "Every job, and what came of each paper.", group=1),
    Command("cancel-job", "Stop the Running Job", "File", ("Ctrl+.",), "What is finished is kept.", group=1),
    Command("quit", "Quit", "File", ("Ctrl+Q",), group=2, role="quit"),
    Command("undo", "Undo", "Edit", ("Ctrl+Z",)),
    Command("redo", "Redo", "Edit", ("Ctrl+Shift+Z", "Ctrl+Y")),
    Command("history", "History…", "Edit", ("Ctrl+H",), "What was done to this library, newest first."),
    Command("find", "Find in This Panel", "Edit", ("Ctrl+F",), group=1),
    Command(
        "remove", "Remove Paper", "Edit", ("Del",), "Take the paper and its facts out; can be undone.", "library", 1
    ),
    Command("find-library", "Search My Library", "Find", ("Ctrl+Shift+F",), "Passages of your papers and textbooks."),
    Command(
        "find-sentence",
        "Find This Sentence…",
        "Find",
        ("Ctrl+Shift+S",),
        "Paste a sentence, a quotation or a number with its unit: where does it stand?",
    ),
    Command("find-web", "Search the Web", "Find", ("Ctrl+Shift+W",), "arXiv, OpenAlex, Crossref, Semantic Scholar."),
    Command("find-look-up", "Look Up References…", "Find", ("Ctrl+Shift+L",), "Paste a list of references."),
    Command("find-line", "Go to the Search Line", "Find", ("/",), "", "find", 1),
    Command("find-stop", "Stop the Search", "Find", ("Esc",), "What has arrived stays.", "find", 1),
    Command(
        "find-ingest",
        "Ingest",
        "Find",
        ("Ctrl+Return", "Ctrl+Enter"),
        "Fetch and read the ticked works, or the selected ones.",
        "find",
        2,
    ),
    Command("find-tick", "Tick or Untick", "Find", ("Space",), "", "find-table", 2),
    Command("find-open", "Open Page", "Find", ("O",), "Show the work's page in the browser.", "find-table", 2),
    Command("find-copy", "Copy Citation", "Find", ("Ctrl+Shift+C",), "", "find-table", 2),
    Command("accept", "Accept", "Review", ("A",), "Accept, and go on to the next; several that are marked.", "review"),
    Command("reject", "Reject…", "Review", ("X",), "Then one key says why; Esc takes it back.", "review"),
    Command(
        "edit-fact", "Edit…", "Review", ("E",), "Names, types, value, unit, or the sentence that states it.", "review"
    ),
    Command("reverse", "Reverse Subject and Object", "Review", ("R",), "Where the domain pack allows it.", "review"),
    Command(
        "relabel", "Another Relation", "Review", (), "The number of the relation, as shown.", "review", shown="1 to 9"
    ),
    Command("reopen", "Put Back to Waiting", "Review", ("W",), "Let a decided fact wait again.", "review"),
    Command("review-undo", "Undo Last Decision", "Review", ("U",), "", "review"),
    Command("accept-all", "Accept All Listed…", "Review", ("Shift+A",), "One step, after asking.", "review"),
    Command("review-filter", "Filter", "Review", ("/",), "Only facts with certain words.", "review", 1),
    Command(
        "review-order", "Next Order", "Review", ("O",), "Most useful first, by paper, by type, as added.", "review", 1
    ),
    Command(
        "open-page",
        "Show on Its Page",
        "Review",
        ("Return", "Enter", "Space"),
        "Open the page at the sentence.",
        "review-table",
        1,
    ),
    Command("next-fact", "Next Fact", "Review", ("J",), "", "review", 1),
    Command("previous-fact", "Previous Fact", "Review", ("K",), "", "review", 1),
    Command("learn", "Add Suggestion to the Lexicon", "Review", ("L",), "What the line below asks.", "review", 2),
    Command("learn-not", "Not Now", "Review", ("Shift+L",), "Ask again after three more decisions.", "review", 2),
    Command("learn-why", "Why This Suggestion", "Review", ("Y",), "The decisions that it stands on.", "review", 2),
    Command("graph-expand", "Expand Node", "Graph", ("E",), "Show the neighbours of the chosen node.", "graph"),
    Command("graph-fit", "Fit Graph in View", "Graph", ("F",), "", "graph"),
    Command("graph-clear", "Start the Graph Anew", "Graph", ("Backspace",), "Show only the chosen node.", "graph"),
    Command("values-open", "Show on Its Page", "Values", ("Return", "Enter"), "", "values-table"),
    Command(
        "values-disagreements", "Disagreements", "Values", ("Ctrl+D",), "Where papers say different things.", "values"
    ),
    Command("values-copy", "Copy as CSV", "Values", ("Ctrl+Shift+C",), "The marked rows, or all.", "values", 1),
    Command("values-export", "Export Picture…", "Values", ("Ctrl+E",), "The plot as PNG or SVG.", "values", 1),
    Command("ask-new", "New Topic", "Ask", ("Ctrl+N",), "The next question follows up on nothing.", "ask"),
    Command("ask-stop", "Stop the Answer", "Ask", ("Esc",), "What the model wrote so far is thrown away.", "ask"),
    Command(
        "ask-history", "Search Earlier Questions", "Ask", ("Ctrl+Shift+H",), "Questions with their answers.", "ask"
    ),
    Command(
        "ask-evidence", "Go to the Evidence", "Ask", ("Ctrl+Down",), "Then the arrows; Enter opens a page.", "ask", 1
    ),
    Command(
        "ask-how", "How This Was Answered", "Ask", ("Ctrl+E",), "What was understood, looked at, left out.", "ask", 1
    ),
    Command("ask-copy", "Copy Answer", "Ask", ("Ctrl+Shift+C",), "As text, with numbered references.", "ask", 2),
    Command(
        "ask-copy-markdown", "Copy Answer as Markdown", "Ask", ("Ctrl+Shift+M",), "With numbered references.", "ask", 2
    ),
    Command(
        "ask-web",
        "Search Papers for This",
        "Ask",
        (),
        "Opens the search on the web with what the question names.",
        "ask",
        3,
    ),
    Command("go-library", "Library", "View", ("Ctrl+1",)),
    Command("go-find", "Find", "View", ("Ctrl+2",)),
    Command("go-review", "Review", "View", ("Ctrl+3",)),
    Command("go-graph", "Graph", "View", ("Ctrl+4",)),
    Command("go-values", "Values", "View", ("Ctrl+5",)),
    Command("go-ask", "Ask", "View", ("Ctrl+6",)),
    Command("go-runs", "Runs", "View", ("Ctrl+Shift+J",), "What each reading found, and how two of them differ."),
    Command("go-settings", "Settings", "View", ("Ctrl+,", "Ctrl+7")),
    Command("model-calls", "Model Calls…", "View", (), "Every call to a language model, with tokens and cost."),
    Command("network", "Network Log…", "View", (), "Every request that was made."),
    Command("toggle-page", "Page Pane", "View", ("Ctrl+P",), "Show or hide the page at the right.", group=1),
    Command(
        "reading-order", "Show Reading Order", "View", ("Ctrl+Shift+R",), "Draw over the page how it was read.", group=1
    ),
    Command(
        "describe-page",
        "Describe This Page with a Model",
        "View",
        (),
        "Its figures and equations; kept apart.",
        group=1,
    ),
    Command(
        "runs-open",
        "Show Difference on Its Page",
        "View",
        ("Return", "Enter"),
        "Open the page at the sentence.",
        "runs-diff",
        1,
    ),
    Command("page-next", "Next Page", "View", ("Ctrl+PgDown",), group=1),
    Command("page-previous", "Previous Page", "View", ("Ctrl+PgUp",), group=1),
    Command("zoom-in", "Enlarge Page", "View", ("Ctrl++", "Ctrl+="), group=1),
    Command("zoom-out", "Shrink Page", "View", ("Ctrl+-",), group=1),
    Command("zoom-fit", "Fit Page Width", "View", ("Ctrl+0",), group=1),
    Command("next-pane", "Next Pane", "View", ("F6",), group=2),
    Command("previous-pane", "Previous Pane", "View", ("Shift+F6",), group=2),
    Command("full-screen", "Full Screen", "View", ("F11",), group=2),
    Command("welcome", "Welcome…", "Help", (), "Library folder, domain, textbooks and models, as at the first start."),
    Command("palette", "All Commands…", "Help", ("Ctrl+K",), "Type what you want to do."),
    Command("shortcuts", "Keyboard Shortcuts", "Help", ("F1",)),
    Command("doctor", "Doctor…", "Help", (), "What works on this machine, what is missing, and what to do."),
    Command("about", "About Minerva Desktop", "Help", (), role="about"),
)


class Registry:
    """The commands as actions. ``scopes`` maps a scope to the widget inside which its keys count."""

    def __init__(self, window: QWidget, scopes: dict[str, QWidget]) -> None:
        self.actions: dict[str, QAction] = {}
        self._handlers: dict[str, Callable[[], None]] = {}
        for command in COMMANDS:
            action = QAction(command.title, window)
            action.setObjectName(command.id)
            action.setShortcuts([QKeySequence(key) for key in command.keys])
            action.setToolTip(command.tip or command.title)
            action.setStatusTip(command.tip)
            action.setMenuRole(_ROLES.get(command.role, QAction.MenuRole.NoRole))
            if command.scope == "window":
                window.addAction(action)
            else:
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                scopes[command.scope].addAction(action)
            action.triggered.connect(lambda _=False, name=command.id: self.run(name))
            self.actions[command.id] = action

    def on(self, command: str, handler: Callable[[], None]) -> None:
        """Say what a command does."""
        if command not in self.actions:
            raise KeyError(command)
        self._handlers[command] = handler

    def run(self, command: str) -> None:
        self._handlers[command]()

    def by_panel(self) -> list[tuple[str, QAction]]:
        """The panel and the action of every command that belongs to one panel."""
        return [
            (command.scope.split("-")[0], self.actions[command.id]) for command in COMMANDS if command.scope != "window"
        ]

    def missing(self) -> list[str]:
        """Commands that nobody handles; empty once the window is built."""
        return sorted(set(self.actions) - set(self._handlers))

    def fill(self, bar: QMenuBar) -> dict[str, QMenu]:
        """Make the menus."""
        menus: dict[str, QMenu] = {}
        for name in MENUS:
            menu = bar.addMenu(f"&{name}")
            menu.setToolTipsVisible(True)
            group = 0
            for command in (item for item in COMMANDS if item.menu == name):
                if command.group != group:
                    menu.addSeparator()
                    group = command.group
                menu.addAction(self.actions[command.id])
            menus[name] = menu
        return menus


_ROLES = {"quit": QAction.MenuRole.QuitRole, "about": QAction.MenuRole.AboutRole}


def key_text(command: Command) -> str:
    """The keys of a command as the system writes them."""
    if command.shown:
        return command.shown
    return " or ".join(QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in command.keys)
