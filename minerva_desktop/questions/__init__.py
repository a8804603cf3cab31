"""Questions: what is asked, what the library knows of it, and an answer that can be shown on its page."""

from minerva_desktop.questions.asking import ask
from minerva_desktop.questions.classifier import Question, QuestionEntity, classify

__all__ = ["Question", "QuestionEntity", "ask", "classify"]
