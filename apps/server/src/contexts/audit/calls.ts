import type { Language } from '@gatehouse/contract'
import { auditCalls, type OperationSubject } from '@gatehouse/contract/audit/calls'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { operationText } from '../../platform/texts.ts'
import type { Settings } from '../organisation/index.ts'
import { retentionSetting } from './retention.ts'
import type { AuditService } from './service.ts'

/** Most things that the sentence of an entry names. */
const NAMED = 3

/** Return an entry with its sentence. Settings are not named: their names are identifiers, not words. */
function worded<Entry extends { method: string; url: string }>(
  language: Language,
  entry: Entry,
  subjects: readonly Pick<OperationSubject, 'entity' | 'label'>[],
): Entry & { content: string } {
  const [colon, comma] = language === 'en' ? [': ', ', '] : ['：', '、']
  const names = subjects.flatMap(({ entity, label }) => (entity === 'setting' || label === '' ? [] : [label]))
  const named = [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(comma)
  const done = operationText(language, `${entry.method} ${entry.url}`)
  return { ...entry, content: named === '' ? done : `${done}${colon}${named}` }
}

export function auditHandlers(platform: Platform, audit: AuditService, settings: Settings): MountedCall[] {
  return [
    handler(auditCalls.operations, async ({ session, query, language }) => {
      const page = await audit.operations(session, query)
      return { ...page, content: page.content.map((entry) => worded(language, entry, entry.subjects)) }
    }),
    handler(auditCalls.operation, async ({ session, params, ip, language }) => {
      const { detail, personal } = await audit.operation(session, params.id)
      // The entry shows changed values of persons, which is a read like any other.
      if (personal.length > 0) platform.audit.read(auditCalls.operation, session, ip, personal.slice(0, 100))
      return worded(language, detail, detail.changes)
    }),
    handler(auditCalls.reads, ({ session, query }) => audit.reads(session, query)),
    handler(auditCalls.retention, async () => {
      const { months, version } = settings.show(INSTALLATION_ID, retentionSetting)
      return { months, version }
    }),
    handler(auditCalls.changeRetention, ({ body: { version, ...value } }) =>
      settings.write(INSTALLATION_ID, retentionSetting, value, version),
    ),
  ]
}
