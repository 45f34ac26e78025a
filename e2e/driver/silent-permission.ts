import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** With this Firefox gives an extension at once the optional permission that it asks for. */
export const SILENT_PERMISSIONS = { 'extensions.webextOptionalPermissionPrompts': false }

/** A copy of Chromium's build in a temporary folder that has an optional permission from the start: no driver can answer Chromium's question. */
export function requirePermission(permission: 'notifications'): string {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-permitted-'))
  cpSync('dist/chrome', folder, { recursive: true })
  const path = join(folder, 'manifest.json')
  const {
    permissions,
    optional_permissions: optional,
    ...rest
  } = JSON.parse(readFileSync(path, 'utf8'))
  const changed = {
    ...rest,
    permissions: [...permissions, permission],
    optional_permissions: optional.filter((name: string) => name !== permission),
  }
  writeFileSync(path, JSON.stringify(changed))
  return folder
}
