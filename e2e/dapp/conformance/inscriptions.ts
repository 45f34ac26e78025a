import { type Check, describeMistakes, describeOperation } from './check.ts'
import { describe, expect, type Kit } from './kit.ts'
import { asRecord, holdShape, SHAPES } from './shapes.ts'

type Listed = { inscriptionId: string; location: string; address: string; output: string }

const LIST = 'object: total (number), list (Inscription[])'

/** A page of the list, for whatever arguments. */
async function readPage(kit: Kit, ...args: unknown[]): Promise<{ total: number; list: Listed[] }> {
  await kit.account()
  const page = asRecord(await kit.resolve('getInscriptions', args), 'getInscriptions')
  expect(typeof page.total === 'number', `total is ${describe(page.total)}`)
  expect(Array.isArray(page.list), `list is ${describe(page.list)}`)
  return page as { total: number; list: Listed[] }
}

const idsOf = ({ list }: { list: Listed[] }) => describeIds(list.map(item => item.inscriptionId))
const describeIds = (ids: readonly string[]) => ids.join(' ')

/** That two pages have the same inscriptions in the same order. */
async function hold(kit: Kit, args: unknown[], as: unknown[]): Promise<string> {
  const [page, other] = [await readPage(kit, ...args), await readPage(kit, ...as)]
  expect(idsOf(page) === idsOf(other), `${describe(args)} gives another page than ${describe(as)}`)
  return `${page.list.length} of ${page.total}`
}

/** Waits until the wallet has the inscriptions that devnet has made. */
async function fillList(kit: Kit): Promise<void> {
  const { inscriptions } = await kit.material.stock()
  await kit.waitFor('the inscriptions', async () =>
    (await readPage(kit)).total > inscriptions.length ? true : null,
  )
}

export const INSCRIPTION_CHECKS: readonly Check[] = [
  ...describeOperation('getInscriptions', [
    {
      id: 'shape',
      name: 'resolves a total and a list of inscriptions',
      section: 'Inscription',
      words: 'The sample shows inscriptionNumber, outputValue and contentLength as numbers',
      needs: ['connected', 'devnet'],
      async run(kit) {
        await fillList(kit)
        const { list } = await readPage(kit)
        const seen = list.map(item => holdShape(item, SHAPES.Inscription, 'list[]'))
        return seen[0] ?? 'the list is empty'
      },
    },
    {
      id: 'places',
      name: 'says where each inscription is, as the index of devnet does',
      section: 'Inscription',
      words: 'txid and vout of the current location',
      needs: ['connected', 'devnet'],
      async run(kit) {
        await fillList(kit)
        const { address } = await kit.account()
        const listed = (await readPage(kit, 0, 5)).list.filter(
          item => !item.inscriptionId.endsWith('-Atomicals'),
        )
        for (const item of listed) {
          const { satpoint } = await kit.chain.place(item.inscriptionId)
          const outpoint = satpoint.split(':').slice(0, 2).join(':')
          expect(item.location.startsWith(outpoint), `${item.location} is not ${satpoint}`)
          expect(item.output.startsWith(outpoint), `${item.output} is not ${outpoint}`)
          expect(item.address === address, `${item.address} is not ${address}`)
        }
        return `${listed.length} are where devnet has them`
      },
    },
    {
      id: 'default.size',
      name: 'gives 20 where no size is given',
      section: 'Limits',
      words: 'getInscriptions size default',
      needs: ['connected', 'devnet'],
      async run(kit) {
        await fillList(kit)
        const { list } = await readPage(kit)
        expect(list.length === 20, `${list.length} are listed`)
        return hold(kit, [], [0, 20])
      },
    },
    {
      id: 'default.cursor',
      name: 'starts from 0 where no cursor is given',
      section: 'Limits',
      words: 'getInscriptions cursor default',
      run: async kit => hold(kit, [], [0]),
    },
    {
      id: 'undefined',
      name: 'takes undefined for what is left out',
      words: LIST,
      run: async kit => hold(kit, [undefined, undefined], []),
    },
    {
      id: 'size',
      name: 'gives as many as asked for',
      words: 'size: number, default 20, items per page',
      needs: ['connected', 'devnet'],
      async run(kit) {
        await fillList(kit)
        const { list } = await readPage(kit, 0, 3)
        expect(list.length === 3, `${list.length} are listed`)
        return '3 of 3'
      },
    },
    {
      id: 'cursor',
      name: 'starts where the cursor says',
      words: 'cursor: number, default 0, offset starting from 0',
      needs: ['connected', 'devnet'],
      async run(kit) {
        await fillList(kit)
        const [all, page] = [await readPage(kit, 0, 9), await readPage(kit, 4, 5)]
        expect(idsOf({ list: all.list.slice(4) }) === idsOf(page), 'another page follows')
        expect(all.total === page.total, `the total is ${all.total}, then ${page.total}`)
        return 'the page from 4 follows on the first four'
      },
    },
    {
      id: 'end',
      name: 'gives an empty list behind the last one',
      words: LIST,
      async run(kit) {
        const { total } = await readPage(kit)
        const { list } = await readPage(kit, total, 20)
        expect(list.length === 0, `${list.length} are listed behind the end`)
        return `nothing behind ${total}`
      },
    },
  ]),
  ...describeMistakes('getInscriptions', [
    {
      parameter: 'cursor',
      words: 'cursor: number',
      cases: {
        text: () => ['first'],
        negative: () => [-1, 20],
        fraction: () => [1.5, 20],
        'not a number': () => [Number.NaN, 20],
        object: () => [{}, 20],
      },
    },
    {
      parameter: 'size',
      words: 'size: number',
      cases: {
        text: () => [0, 'all'],
        negative: () => [0, -1],
        fraction: () => [0, 1.5],
        object: () => [0, {}],
      },
    },
  ]),
]
