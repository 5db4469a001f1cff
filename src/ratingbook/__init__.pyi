from ratingbook.desk.library import (
    BadArgument as BadArgument,
)
from ratingbook.desk.library import (
    Refused as Refused,
)
from ratingbook.desk.library import (
    check as check,
)
from ratingbook.desk.library import (
    explain as explain,
)
from ratingbook.desk.library import (
    history as history,
)
from ratingbook.desk.library import (
    list as list,
)
from ratingbook.desk.library import (
    predict as predict,
)
from ratingbook.desk.library import (
    rate as rate,
)
from ratingbook.desk.library import (
    read as read,
)
from ratingbook.desk.library import (
    rulebook as rulebook,
)
from ratingbook.desk.library import (
    rulebooks as rulebooks,
)
from ratingbook.desk.library import (
    whatif as whatif,
)
from ratingbook.desk.library import (
    write as write,
)

__version__: str
