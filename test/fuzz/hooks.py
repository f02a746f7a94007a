"""What the runner cannot say in its configuration."""

import atexit
import itertools
import json
import os
import threading
import uuid
from collections import Counter

import schemathesis

_lock = threading.Lock()
_calls = itertools.count()
_statuses = Counter()


@schemathesis.hook
def before_call(context, case, kwargs):
    # Each from another address, or the check that sends wrong tokens gets to know the limit for them instead.
    number = next(_calls)
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    case.headers = {**(case.headers or {}), "X-Forwarded-For": address}
    # A generated key comes again, and then what is looked at is the refusal to use it twice.
    if case.headers and "Idempotency-Key" in case.headers and case.meta and case.meta.generation.mode.is_positive:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.hook
def filter_query(context, query):
    # A parameter that an operation does not know is ignored, so a request with one is as good as without.
    return not query or set(query) <= {parameter.name for parameter in context.operation.query}


@schemathesis.hook
def after_call(context, case, response):
    operation_id = case.operation.definition.raw.get("operationId", "")
    # Requests with another method belong to the check that sent them.
    if case.method.upper() != case.operation.method.upper():
        return
    with _lock:
        _statuses[(operation_id, response.status_code)] += 1


@atexit.register
def _write():
    seen = {}
    for (operation_id, status), count in _statuses.items():
        seen.setdefault(operation_id, {})[str(status)] = count
    with open(os.environ["FUZZ_STATUSES"], "w", encoding="utf8") as file:
        json.dump(seen, file)
