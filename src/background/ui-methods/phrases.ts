import type { Accounts } from '../accounts/accounts.ts'
import { UnknownPhraseError } from '../keys/account-errors.ts'
import type { Announcer } from '../requests/pages.ts'
import { type AccountRemovalParts, forgetLeaving, whileNothingBegins } from './account-removal.ts'
import { parsePhrase, parseText } from './params.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type PhraseMethodParts = Announcer &
  AccountRemovalParts & {
    accounts: Pick<Accounts, 'addPhrase' | 'renamePhrase' | 'removePhrase'>
  }

/** The recovery phrases side by side: one more, another name, one less. No secret comes back from here: `vault.ts` shows words. */
export const phraseMethods = {
  async addPhrase({ wallet }, params) {
    const { phraseKind: kind, ...words } = parsePhrase(params)
    return wallet.accounts.addPhrase({ ...words, kind, name: parseText('name', params.name) })
  },

  async renamePhrase({ wallet }, { phraseId, name }) {
    await wallet.accounts.renamePhrase(parseText('phraseId', phraseId), name)
    return null
  },

  async removePhrase({ wallet }, params) {
    const phraseId = parseText('phraseId', params.phraseId)
    const password = parseText('password', params.password)
    const result = await whileNothingBegins(wallet, assertIdle =>
      wallet.accounts.removePhrase(phraseId, password, assertIdle).catch(error => {
        // A worker that was stopped may have removed it, and forgotten nothing of its accounts yet.
        if (error instanceof UnknownPhraseError) return { accepted: true } as const
        throw error
      }),
    )
    if (result.accepted) {
      await forgetLeaving(wallet)
      wallet.announce()
    }
    return result
  },
} satisfies UiMethodsOf<PhraseMethodParts>
