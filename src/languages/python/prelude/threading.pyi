# Declarations for repo-graph, written from the Python library reference (https://docs.python.org/3/library/). A result is
# written only where it can carry a type of the project: what has none leads outside.
class local:
    def __getattr__(self, name): ...
