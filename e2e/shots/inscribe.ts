import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Screen } from '../driver/screen.ts'
import {
  imageItem,
  inscribePlanOf,
  inscribeReviewOf,
  textItem,
} from './fixtures/assets/inscribe-reviews.ts'
import { drawContent, INSCRIPTIONS, idOf, pageOf } from './fixtures/assets/inscriptions.ts'
import { JOB_CONTENT, WAITING } from './fixtures/jobs.ts'
import { OPEN as FORM, pressReview } from './fixtures/payment-form.ts'
import { scrollDown } from './fixtures/scroll-down.ts'
import {
  type Answers,
  failing,
  GERMAN,
  SEGWIT,
  type Shot,
  SILENT_SERVER,
  stateWith,
  TAPROOT,
  value,
} from './shot.ts'

const OPEN: Answers = {
  ...FORM,
  getInscriptions: value(pageOf(INSCRIPTIONS)),
  getInscriptionContent: { given: drawContent },
  getJobContent: JOB_CONTENT,
}

type Changes = Partial<Shot> & { with?: Answers }

function form(name: string, { with: answers, ...rest }: Changes = {}): Shot {
  const shot = { name: `inscribe-${name}`, path: '/inscribe', surface: 'tab' as const }
  return { ...shot, answers: { ...OPEN, ...answers }, ...rest }
}

const POEM = 'Roses are red,\nblocks are slow.\nWhat stands in the chain\nstays where sats go.'

const PLANNED: Answers = {
  planInscribe: value(inscribePlanOf(inscribeReviewOf([textItem(POEM)]))),
}

const HERE = dirname(fileURLToPath(import.meta.url))
const ICON = join(HERE, '../../public/icons/128.png')

/** Paths of files in a folder of their own. */
function filesOf(contents: { [name: string]: string | Uint8Array }): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-files-'))
  return Object.entries(contents).map(([name, content]) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  })
}

async function chooseFiles(screen: Screen, ...paths: string[]): Promise<void> {
  const input = await screen.page.waitForSelector('[data-testid="inscribe-files"]')
  await (input as unknown as { uploadFile(...paths: string[]): Promise<void> }).uploadFile(...paths)
}

async function writeText(screen: Screen, text = POEM): Promise<void> {
  await screen.click('button', 'Text*')
  await screen.fill('textbox', 'Text', text)
}

async function fillSeveral(screen: Screen): Promise<void> {
  await writeText(screen, 'gm')
  await chooseFiles(
    screen,
    ICON,
    ...filesOf({ 'readme.md': '# Hello', 'model.glb': 'glTF', 'a.xyz': '?' }),
  )
  await screen.waitForText('a.xyz')
  await screen.click('button', 'Reference')
  await screen.fill('textbox', '6. ID of the inscription shown', idOf('2'))
}

async function openMore(screen: Screen): Promise<void> {
  await writeText(screen)
  await screen.evaluate(() => document.querySelector('.fold__fold')?.setAttribute('open', ''))
  await scrollDown(screen)
}

export const shots: Shot[] = [
  form('empty'),
  form('empty-popup', { surface: 'popup' }),
  form('empty-german', { surface: 'popup', with: GERMAN }),
  form('watched', {
    surface: 'popup',
    with: {
      getState: value(
        stateWith({
          accounts: [
            {
              ...TAPROOT,
              name: 'Cold storage',
              source: 'watch',
              publicKey: null,
              descriptor: null,
              ordinals: null,
              derivationPath: null,
            },
          ],
        }),
      ),
    },
  }),
  form('text', { surface: 'popup', act: screen => writeText(screen) }),
  form('file', {
    act: async screen => {
      await chooseFiles(screen, ICON)
      await screen.waitForText('128.png')
    },
  }),
  form('several', { act: fillSeveral }),
  form('several-end', {
    act: async screen => {
      await fillSeveral(screen)
      await scrollDown(screen)
    },
  }),
  form('reading', {
    act: async screen => {
      await screen.evaluate(() => {
        // Of files alone: lockdown has frozen what blobs have.
        Object.defineProperty(File.prototype, 'stream', {
          value: () => new ReadableStream({ start: pipe => pipe.enqueue(new Uint8Array(120_000)) }),
        })
      })
      await chooseFiles(screen, ...filesOf({ 'large picture.jpg': new Uint8Array(380_000) }))
      await screen.find('progressbar')
    },
  }),
  form('skipped', {
    act: async screen => {
      const paths = filesOf({
        'a film of the holidays.mp4': new Uint8Array(3_100_000),
        'nothing.txt': '',
        'broken.png': 'not a picture',
      })
      await chooseFiles(screen, ...paths)
      await screen.waitForText('broken.png')
    },
  }),
  form('dropping', {
    act: async screen => {
      await writeText(screen)
      await screen.evaluate(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['x'], 'x.txt'))
        document
          .querySelector('main')
          ?.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true }))
      })
    },
  }),
  form('errors', {
    surface: 'popup',
    act: async screen => {
      await screen.click('button', 'Text*')
      await screen.click('button', 'Reference')
      await screen.fill('textbox', '2. ID of the inscription shown', 'abc')
      await pressReview(screen)
    },
  }),
  form('more', { surface: 'popup', act: openMore }),
  form('more-packed', {
    act: async screen => {
      await chooseFiles(screen, ...filesOf({ 'poems.txt': POEM.repeat(200) }))
      await screen.waitForText('15.4 kB')
      await screen.evaluate(() => document.querySelector('.fold__fold')?.setAttribute('open', ''))
      await screen.fill('textbox', 'Metadata', '{artist: Alice}')
      await screen.click('switch', 'Compress files')
      await scrollDown(screen)
    },
  }),
  form('more-segwit', {
    surface: 'popup',
    with: { getState: value(stateWith({ accountId: SEGWIT.id })) },
    act: openMore,
  }),
  form('pick', {
    surface: 'popup',
    act: async screen => {
      await screen.click('button', 'Reference*')
      await screen.click('button', 'Choose one of yours')
      await screen.find('dialog')
    },
  }),
  form('pick-empty', {
    surface: 'popup',
    with: { getInscriptions: value(pageOf([])) },
    act: async screen => {
      await screen.click('button', 'Reference*')
      await screen.click('button', 'Choose one of yours')
      await screen.waitForText('no inscriptions')
    },
  }),
  form('offline', {
    surface: 'popup',
    with: { getCoins: SILENT_SERVER, getFeeRates: SILENT_SERVER },
    act: screen => writeText(screen),
  }),
  form('refused', {
    surface: 'popup',
    with: {
      planInscribe: failing(-32000, 'Not enough.', {
        reason: 'INSUFFICIENT_FUNDS',
        needed: '64310',
        available: '12000',
      }),
    },
    act: async screen => {
      await writeText(screen)
      await pressReview(screen)
    },
  }),
  form('review', {
    surface: 'popup',
    with: PLANNED,
    act: async screen => {
      await writeText(screen)
      await pressReview(screen)
      await screen.find('button', 'Inscribe')
    },
  }),
  form('review-packed', {
    surface: 'popup',
    with: {
      planInscribe: value(
        inscribePlanOf(
          inscribeReviewOf([
            textItem(POEM, {
              ...{ encoding: 'gzip', contentLength: 61 },
              metadata: '{\n  "artist": "Alice",\n  "year": 2026\n}',
            }),
          ]),
        ),
      ),
    },
    act: async screen => {
      await writeText(screen)
      await pressReview(screen)
      await screen.find('button', 'Inscribe')
      await screen.evaluate(() => document.querySelector('details')?.setAttribute('open', ''))
      await scrollDown(screen)
    },
  }),
  form('review-many', {
    with: {
      ...GERMAN,
      planInscribe: value(
        inscribePlanOf(
          inscribeReviewOf([imageItem(), textItem('gm'), imageItem(), textItem(POEM)]),
        ),
      ),
    },
    act: async screen => {
      await screen.click('button', 'Text*')
      await screen.fill('textbox', 'Text', 'gm')
      await screen.click('button', 'Prüfen')
      await screen.find('button', 'Inskribieren')
    },
  }),
  form('review-failed', {
    surface: 'popup',
    with: {
      ...PLANNED,
      confirmInscribe: failing(-32000, 'Outdated.', { reason: 'PLAN_OUTDATED' }),
    },
    act: async screen => {
      await writeText(screen)
      await pressReview(screen)
      await screen.clickTestId('approve')
      await screen.waitForText('Something changed')
    },
  }),
  form('confirmed', {
    surface: 'popup',
    with: {
      ...PLANNED,
      confirmInscribe: value({ jobId: WAITING.id }),
      getJob: value(WAITING),
    },
    act: async screen => {
      await writeText(screen)
      await pressReview(screen)
      await screen.clickTestId('approve')
      await screen.waitForText('Waiting for a block')
    },
  }),
]
