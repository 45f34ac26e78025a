/**
 * A data URI, as wallet lists of pages show it: the satchel of `release/store/satchel.svg`, in fewer words. Written out, as
 * every page would have to encode it.
 */
export const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA2NCA2NCI+PHBhdGggZD0iTTIyIDE5di00YTggOCAwIDAxOC04aDRhOCA4IDAgMDE4IDh2NCIgZmlsbD0ibm9uZSIgc3Ryb2tlPSIjN2QyZjA4IiBzdHJva2Utd2lkdGg9IjYiLz48cmVjdCB4PSIzIiB5PSIxNyIgd2lkdGg9IjU4IiBoZWlnaHQ9IjQyIiByeD0iMTAiIGZpbGw9IiNjNTU0MGYiLz48cGF0aCBkPSJNMyAyN2ExMCAxMCAwIDAxMTAtMTBoMzhhMTAgMTAgMCAwMTEwIDEwYzAgMTEtMTAgMTctMjkgMTdTMyAzOCAzIDI3IiBmaWxsPSIjOWEzYzBhIi8+PHBhdGggZD0iTTI3IDE3aDEwdjMySDI3IiBmaWxsPSIjZmZmM2U0Ii8+PC9zdmc+'
