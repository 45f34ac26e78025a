import type { UiMethod } from './ui-context.ts'

export const showApprovals: UiMethod<'showApprovals'> = async ({ wallet }) => {
  await wallet.approvals.show()
  return null
}
