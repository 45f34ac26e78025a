export const NAME = 'Satchel'

/**
 * A data URI, as wallet lists of pages show it: the satchel of `release/store/satchel.svg`, in fewer words. Written out, as
 * every page would have to encode it.
 */
export const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA2NCA2NCI+PHBhdGggZD0iTTIyIDE5di00YTggOCAwIDAgMSA4LThoNGE4IDggMCAwIDEgOCA4djQiIGZpbGw9Im5vbmUiIHN0cm9rZT0iIzdkMmYwOCIgc3Ryb2tlLXdpZHRoPSI2Ii8+PHJlY3QgeD0iMyIgeT0iMTciIHdpZHRoPSI1OCIgaGVpZ2h0PSI0MiIgcng9IjEwIiBmaWxsPSIjYzU1NDBmIi8+PHBhdGggZD0iTTMgMjdhMTAgMTAgMCAwIDEgMTAtMTBoMzhhMTAgMTAgMCAwIDEgMTAgMTBjMCAxMS0xMCAxNy0yOSAxN1MzIDM4IDMgMjd6IiBmaWxsPSIjOWEzYzBhIi8+PHBhdGggZD0iTTI3IDE3aDEwdjMySDI3eiIgZmlsbD0iI2ZmZjNlNCIvPjwvc3ZnPg=='
