# Declarations for repo-graph, written from the Python library reference (https://docs.python.org/3/library/). A result is
# written only where it can carry a type of the project: what has none leads outside.
from typing import *
from typing import Annotated, Any, ClassVar, Concatenate, Final, ForwardRef, Generic, IO, Literal, LiteralString, NamedTuple
from typing import Never, NewType, NoReturn, NotRequired, Optional, ParamSpec, Protocol, ReadOnly, Required, Self, TextIO
from typing import Tuple, Type, TypeAlias, TypeAliasType, TypedDict, TypeGuard, TypeIs, TypeVar, TypeVarTuple, Union, Unpack

def deprecated(message, /, *, category=..., stacklevel=...) -> Callable[[T], T]: ...
runtime = runtime_checkable
