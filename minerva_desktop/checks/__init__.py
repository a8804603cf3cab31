"""What may be believed: critic (form), verifier (its own sentence), claims (the textbooks), gate (what enters the graph).

Every check is a pure function of what it is handed; no check calls another, the pipeline does.
"""
