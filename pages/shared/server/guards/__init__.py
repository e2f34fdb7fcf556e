"""What stands between the network and Streamlit, so that no visitor can harm the others."""

from functools import partial

from starlette.middleware import Middleware

from lm_core.settings import settings
from pages.shared.server.connections import connection_limit, visitors_behind_proxies
from pages.shared.server.guards.handshakes import SameOrigin
from pages.shared.server.guards.headers import SecurityHeaders, content_security_policy
from pages.shared.server.guards.messages import MessageGuard
from pages.shared.server.guards.uploads import UploadQuota
from pages.shared.server.streamlit_inside.front_end_files import inline_script_hashes


def server_guards(descriptors: int) -> list[Middleware]:
    """Return the middleware of a process that may open so many descriptors, the outermost first.

    Raises SettingError if a variable has a value that cannot be used.
    """
    policy = partial(content_security_policy, inline_script_hashes(), settings().framed_by)
    return [
        *visitors_behind_proxies(),
        Middleware(SecurityHeaders, policy=policy),
        Middleware(SameOrigin),
        connection_limit(descriptors),
        Middleware(MessageGuard),
        Middleware(UploadQuota),
    ]
