import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Language } from '../../src/browser/languages.ts'

type Program = {
  title: string
  variable: string
  names: string[]
  places: string[]
  debianPackages: string[]
}

const CHROMIUM: Program = {
  title: 'Chromium',
  variable: 'CHROMIUM',
  names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
  places: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  debianPackages: ['chromium'],
}

const FIREFOX: Program = {
  title: 'Firefox',
  variable: 'FIREFOX',
  names: ['firefox-esr', 'firefox'],
  places: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  debianPackages: ['firefox-esr'],
}

/** A second wallet that signs; without what it recommends, which is its windows, 6 MB of packages. */
const ELECTRUM: Program = {
  title: 'Electrum',
  variable: 'ELECTRUM',
  names: ['electrum'],
  places: ['/Applications/Electrum.app/Contents/MacOS/run_electrum'],
  debianPackages: ['electrum'],
}

/** A DNS server that signs. */
const BIND: Program = {
  title: 'BIND',
  variable: 'NAMED',
  names: ['named'],
  places: ['/usr/sbin/named'],
  debianPackages: ['bind9', 'bind9-utils', 'bind9-dnsutils'],
}

/** What draws the letters of some languages. Debian's Chromium brings no font of its own. */
type Font = { title: string; languages: readonly Language[]; debianPackages: string[] }

const FONTS: readonly Font[] = [
  {
    title: 'Noto Sans CJK',
    languages: ['zh-CN', 'zh-TW', 'ja', 'ko'],
    debianPackages: ['fonts-noto-cjk'],
  },
  {
    title: 'DejaVu Sans',
    languages: ['ar', 'ru', 'vi'],
    debianPackages: ['fonts-dejavu-core'],
  },
]

const PROGRAMS = { chromium: CHROMIUM, firefox: FIREFOX, electrum: ELECTRUM, bind: BIND }

/** Path of Chromium: `$CHROMIUM`, then PATH, then the usual places; null when there is none. */
export function findChromium(): string | null {
  return findProgram(CHROMIUM)
}

/** Path of Firefox: `$FIREFOX`, then PATH, then the usual places; null when there is none. */
export function findFirefox(): string | null {
  return findProgram(FIREFOX)
}

/** Path of Electrum: `$ELECTRUM`, then PATH, then the usual places; null when there is none. */
export function findElectrum(): string | null {
  return findProgram(ELECTRUM)
}

/** Path of BIND's server: `$NAMED`, then PATH, then the usual place; null when there is none. */
export function findBind(): string | null {
  return findProgram(BIND)
}

/**
 * Makes sure that the programs named are there and returns the paths of the browsers; both browsers when none is named.
 * On Debian and Ubuntu, as root or with sudo that asks for no password, it installs what is missing and
 * shows apt's own progress; elsewhere it throws an Error that says what to install.
 */
export function provision(wanted: readonly (keyof typeof PROGRAMS)[] = ['chromium', 'firefox']) {
  const programs = wanted.map(name => PROGRAMS[name])
  const missing = programs.filter(program => findProgram(program) === null)
  if (missing.length > 0) installFromDebian(missing.flatMap(program => program.debianPackages))
  const stillMissing = programs.filter(program => findProgram(program) === null)
  if (stillMissing.length > 0) throw new Error(explainMissing(stillMissing))
  return { chromium: findChromium(), firefox: findFirefox() }
}

/**
 * Makes sure that pictures in these languages have letters and not boxes, by the same means. Fontconfig says which languages the
 * fonts are for; systems without it, such as macOS, bring fonts for all.
 */
export function provisionFonts(languages: readonly Language[]): void {
  if (process.platform !== 'linux') return
  const listMissing = () =>
    FONTS.filter(font => font.languages.some(tag => languages.includes(tag) && !hasFontFor(tag)))
  const missing = listMissing()
  if (missing.length === 0) return
  installFromDebian(['fontconfig', ...missing.flatMap(font => font.debianPackages)])
  const stillMissing = listMissing()
  if (stillMissing.length > 0) throw new Error(stillMissing.map(explainMissingFont).join('\n'))
}

function hasFontFor(language: Language): boolean {
  const { stdout } = spawnSync('fc-list', [`:lang=${language.toLowerCase()}`], { encoding: 'utf8' })
  return (stdout ?? '').trim() !== ''
}

function findProgram(program: Program): string | null {
  const named = process.env[program.variable]
  if (named) {
    if (isExecutable(named)) return named
    throw new Error(`$${program.variable} is ${named}, which cannot be run`)
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  const onPath = program.names.flatMap(name => folders.map(folder => join(folder, name)))
  return [...onPath, ...program.places].find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function installFromDebian(packages: readonly string[]): void {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return
  const prefix = rootPrefix()
  if (prefix === null) return
  console.log(`Installing ${packages.join(' and ')} with apt-get …`)
  runShown([...prefix, 'apt-get', 'update'])
  runShown([...prefix, 'apt-get', 'install', '-y', '--no-install-recommends', ...packages])
}

/** What to put before a command so that root runs it; null when that is not possible unasked. */
function rootPrefix(): string[] | null {
  if (process.getuid?.() === 0) return ['env', 'DEBIAN_FRONTEND=noninteractive']
  const sudo = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' })
  return sudo.status === 0 ? ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive'] : null
}

function runShown([command = '', ...args]: string[]): void {
  spawnSync(command, args, { stdio: 'inherit' })
}

function explainMissing(programs: readonly Program[]): string {
  return programs
    .map(
      program =>
        `${program.title} was not found. Install it (Debian, Ubuntu: sudo apt-get install ${program.debianPackages.join(' ')}) ` +
        `or set ${program.variable} to the path of its program.`,
    )
    .join('\n')
}

function explainMissingFont({ title, languages, debianPackages }: Font): string {
  return (
    `No font has the letters of ${languages.join(', ')}: pictures would show boxes. Install one, such as ${title} ` +
    `(Debian, Ubuntu: sudo apt-get install fontconfig ${debianPackages.join(' ')}).`
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { chromium, firefox } = provision()
    console.log(`Chromium: ${chromium}\nFirefox:  ${firefox}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
