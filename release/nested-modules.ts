import type { Plugin, Rolldown } from 'vite'

/**
 * In a script of one file, puts the module `path`, which exports the function `name` alone, and those that nothing else imports,
 * into one function that is evaluated with the first call. A browser keeps next to nothing of a function before it is called, and
 * some of each function beside it. What the modules are evaluated with is what the realm has by then.
 */
export function nestModules({ path, name }: { path: string; name: string }): Plugin {
  return {
    name: 'nested-modules',
    apply: 'build',
    renderChunk(code, chunk) {
      const ids = Object.keys(chunk.modules)
      const entry = ids.find(id => id.endsWith(path))
      if (entry === undefined || chunk.facadeModuleId === null) return null
      const importedBy = (id: string) => this.getModuleInfo(id)?.importedIds ?? []
      const others = listReached(chunk.facadeModuleId, importedBy, entry)
      const nested = ids.filter(id => !others.has(id))
      return joinNested(code, chunk.modules, nested, name)
    },
  }
}

/** Modules that one imports, and what those import, without what only `except` does. */
function listReached(
  id: string,
  importedBy: (id: string) => readonly string[],
  except: string,
): Set<string> {
  const found = new Set([id])
  for (const one of found)
    for (const imported of importedBy(one)) if (imported !== except) found.add(imported)
  return found
}

function joinNested(
  code: string,
  modules: Rolldown.RenderedChunk['modules'],
  nested: readonly string[],
  name: string,
): string {
  const texts = nested.flatMap(id => modules[id]?.code ?? [])
  const last = texts.at(-1)
  if (!last?.includes(`function ${name}(`)) throw new Error(`There is no ${name} to nest`)
  // Nothing of the realm may be used to hand on what was given, as a list of parameters would be.
  const joined = `
  var ${name}Nested;
  function ${name}(given) {
    ${name}Nested ??= (() => { ${texts.join('\n')}
      return ${name}; })();
    return ${name}Nested(given);
  }`
  return texts.reduce((rest, text) => {
    if (rest.split(text).length !== 2)
      throw new Error(`A module to nest is not there once: ${text}`)
    return rest.replace(text, () => (text === last ? joined : ''))
  }, code)
}
