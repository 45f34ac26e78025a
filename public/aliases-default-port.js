// The same as `aliases.js` for a site without a port of its own: a match pattern without one takes every port in.
if (!location.port) {
  const tell = () => dispatchEvent(new Event('satchel#aliases'))
  addEventListener('satchel#line', tell, { once: true })
  tell()
}
