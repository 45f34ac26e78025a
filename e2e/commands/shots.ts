/**
 * `npm run shots`: every screen in every state and both themes, as pictures in `artifacts/shots/<theme>/`.
 * `--only send` takes one area (a file of `e2e/shots/`), `--only send-review` the shots whose names begin so.
 * `--language ar` takes them in a language, offered or not, into `artifacts/shots/ar/<theme>/`; `--used` takes those that most
 * people see most often.
 * `--built <folder>` takes an extension that is built already; `--words long` and `--words mirrored` build one in longer words, or
 * from right to left, and take what can be shown without presses. Ends with an error when axe finds something serious.
 */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parsePseudo } from '../../release/words/pseudo-words.ts'
import { launch } from '../driver/driver.ts'
import { closeWelcomeTab } from '../driver/welcome-tab.ts'
import { describeViolations, findViolations } from '../fixtures/accessibility.ts'
import { loadShots } from '../shots/fixtures/areas.ts'
import { createCamera, showTheme } from '../shots/fixtures/camera.ts'
import { inLanguage, MOST_USED, parseLanguage } from '../shots/fixtures/languages.ts'
import { buildIfStale, buildPseudo } from './build.ts'
import { provision } from './provision.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../artifacts/shots')
const THEMES = ['light', 'dark'] as const

const { only, words, used, ...given } = parseArgs({
  options: {
    ...{ only: { type: 'string' }, built: { type: 'string' }, words: { type: 'string' } },
    ...{ language: { type: 'string' }, used: { type: 'boolean' } },
  },
}).values
const pseudo = parsePseudo(words)
const language = given.language === undefined ? null : parseLanguage(given.language)
const FOLDER = language === null ? ROOT : join(ROOT, language)
const loaded = (await loadShots(only ?? null))
  .filter(({ name }) => !used || MOST_USED.some(most => most === name))
  .map(shot => (language === null ? shot : inLanguage(shot, language)))
// What a shot presses has an English name.
const shots = pseudo ? loaded.filter(({ act }) => act === undefined) : loaded
provision(['chromium'])
const built = pseudo ? buildPseudo(pseudo) : given.built
if (built === undefined) buildIfStale()
for (const theme of THEMES) mkdirSync(join(FOLDER, theme), { recursive: true })

const wallet = await launch({
  browser: 'chromium',
  ...(built === undefined ? {} : { extensionDir: built }),
})
try {
  await closeWelcomeTab(wallet)
  const camera = createCamera(wallet, { scale: 2, reload: true })
  for (const shot of shots) await take(camera, shot)
} finally {
  await wallet.close()
}
console.log(`${shots.length} states in both themes: ${FOLDER}`)

async function take(
  camera: ReturnType<typeof createCamera>,
  shot: (typeof shots)[number],
): Promise<void> {
  try {
    const screen = await camera.show(shot)
    for (const theme of THEMES) {
      await showTheme(screen.page, theme)
      await screen.screenshot(join(FOLDER, theme, `${shot.name}.png`))
      const problems = describeViolations(await findViolations(screen.page))
      if (problems.length > 0) throw new Error(`${theme}: ${problems.join('\n')}`)
    }
  } catch (error) {
    process.exitCode = 1
    console.error(`${shot.name}: ${error instanceof Error ? error.message : error}`)
  }
}
