import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MAX_OUTPUT = 64 * 1024 * 1024

/** What bitcoin-knots links against; `apt-cache depends --recurse` adds what these need. */
const LIBRARIES = [
  'libzmq5',
  'libevent-core-2.1-7t64',
  'libevent-extra-2.1-7t64',
  'libevent-pthreads-2.1-7t64',
  'libsqlite3-0',
  'libstdc++6',
]
const NOT_NEEDED_TO_RUN = /debconf|systemd|perl/
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

/**
 * Fetches bitcoin-knots and its libraries from Debian's unstable suite, through the mirror that apt already uses, and
 * unpacks them under `folder` without installing anything. Returns the command line that runs that bitcoind with its
 * own dynamic loader. Packages stay in `folder/debs`, so an unpacked tree that was deleted comes back without a network.
 */
export async function fetchKnots(
  folder: string,
  onProgress: (line: string) => void,
): Promise<string[]> {
  const root = join(folder, 'root')
  if (!existsSync(root)) {
    const debs = join(folder, 'debs')
    if (!existsSync(debs)) await downloadPackages(folder, debs, onProgress)
    onProgress(`Unpacking bitcoin-knots into ${root}`)
    await unpackPackages(debs, root)
  }
  return runPrivately(root)
}

async function downloadPackages(
  folder: string,
  debs: string,
  onProgress: (line: string) => void,
): Promise<void> {
  const mirror = await findDebianMirror()
  // A name of its own per process, renamed when complete: an interrupted or parallel download is never half a cache.
  const scratch = join(folder, `apt-${process.pid}`)
  await rm(scratch, { recursive: true, force: true })
  const status = join(scratch, 'var/lib/dpkg/status')
  for (const path of [
    'etc/apt/preferences.d',
    'etc/apt/apt.conf.d',
    'var/lib/apt/lists/partial',
    'var/cache/apt/archives/partial',
    'var/lib/dpkg',
    'debs',
  ]) {
    await mkdir(join(scratch, path), { recursive: true })
  }
  await writeFile(status, '')
  await writeFile(
    join(scratch, 'etc/apt/sources.list'),
    `deb [signed-by=${KEYRING}] ${mirror} sid main\n`,
  )
  const options = [
    `Dir=${scratch}`,
    `Dir::State::status=${status}`,
    'Dir::Bin::methods=/usr/lib/apt/methods',
    'Acquire::Languages=none',
    'Acquire::Retries=3',
    'APT::Sandbox::User=root',
  ].flatMap(option => ['-o', option])
  try {
    onProgress('Fetching bitcoin-knots: reading the package index of Debian unstable')
    await run('apt-get', [...options, 'update'], { maxBuffer: MAX_OUTPUT })
    const { stdout } = await run(
      'apt-cache',
      [
        ...options,
        'depends',
        '--recurse',
        '--no-recommends',
        '--no-suggests',
        '--no-conflicts',
        '--no-breaks',
        '--no-replaces',
        '--no-enhances',
        ...LIBRARIES,
      ],
      { maxBuffer: MAX_OUTPUT },
    )
    const libraries = new Set(
      stdout.split('\n').filter(line => /^[a-z0-9]/.test(line) && !NOT_NEEDED_TO_RUN.test(line)),
    )
    onProgress(`Fetching bitcoin-knots: ${libraries.size + 1} packages, about 20 MB`)
    await run('apt-get', [...options, 'download', 'bitcoin-knots', ...libraries], {
      cwd: join(scratch, 'debs'),
      maxBuffer: MAX_OUTPUT,
    })
    await renameUnlessThere(join(scratch, 'debs'), debs)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** The address of the machine's own Debian mirror, as apt reports it. Throws where apt has none. */
async function findDebianMirror(): Promise<string> {
  const { stdout } = await run('apt-get', [
    'indextargets',
    '--format',
    '$(ORIGIN) $(COMPONENT) $(REPO_URI)',
    'Created-By: Packages',
  ])
  for (const line of stdout.split('\n')) {
    const [origin, component, address] = line.split(' ')
    if (origin === 'Debian' && component === 'main' && address && !address.includes('security')) {
      return address
    }
  }
  throw new Error('apt has no Debian mirror configured (run `apt-get update` once)')
}

async function unpackPackages(debs: string, root: string): Promise<void> {
  const scratch = `${root}-${process.pid}`
  await rm(scratch, { recursive: true, force: true })
  await mkdir(scratch, { recursive: true })
  try {
    for (const name of (await readdir(debs)).filter(file => file.endsWith('.deb')).sort()) {
      await run('dpkg-deb', ['-x', join(debs, name), scratch])
    }
    await renameUnlessThere(scratch, root)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!existsSync(to)) throw error
  }
}

async function runPrivately(root: string): Promise<string[]> {
  const libraries = join(root, 'usr/lib')
  for (const triplet of await readdir(libraries)) {
    const folder = join(libraries, triplet)
    if (!triplet.includes('-linux-gnu')) continue
    const loader = (await readdir(folder)).find(name => /^ld-linux.*\.so\.\d+$/.test(name))
    if (loader) {
      return [join(folder, loader), '--library-path', folder, join(root, 'usr/bin/bitcoind')]
    }
  }
  throw new Error(`no dynamic loader in ${libraries}; delete ${root} to fetch again`)
}
