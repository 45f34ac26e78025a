// Registered for sites that are to have the aliases (`src/background/requests/alias-scripts.ts`): tells the in-page
// script before any page code runs. Either may run first; an in-page script that is second begins with `satchel#line`.
{
  const tell = () => dispatchEvent(new Event('satchel#aliases'))
  addEventListener('satchel#line', tell, { once: true })
  tell()
}
