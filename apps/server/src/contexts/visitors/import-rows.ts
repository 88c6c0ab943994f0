/** A row of a spreadsheet as the form of an invitation. */
import { createHmac } from 'node:crypto'
import { fieldIssuesOf } from '@gatehouse/contract'
import { visitorSource } from '@gatehouse/contract/enums/visitors'
import { visitCreate } from '@gatehouse/contract/visitors/fields'
import { uuidV8 } from '../../platform/database/ids.ts'
import { isStorableText } from '../../platform/http/nul.ts'
import { InvalidRequest, Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { typedMoment } from '../organisation/index.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import type { VisitFields } from './form-types.ts'
import { reasonOf, type ImportValues } from './import-columns.ts'
import type { StoredIssue } from './imports-schema.ts'
import { findTypedHost } from './typed-hosts.ts'

/** The column in which a field of the form stands, where the two differ. */
const COLUMN_OF: Readonly<Record<string, string>> = { intervieweeId: 'host' }

const issueAt = ({
  path,
  rule,
  params,
}: {
  path: string
  rule: string
  params?: Readonly<Record<string, string | number>> | undefined
}): StoredIssue => {
  const [field = ''] = path.split('.')
  return { field: COLUMN_OF[field] ?? field, rule, ...(params && { params: { ...params } }) }
}

/** Return what a refused invitation is blamed on. @throws whatever is no refusal */
export function issuesOf(error: unknown): StoredIssue[] {
  if (error instanceof InvalidRequest) return error.fields.map(issueAt)
  if (!(error instanceof Refusal)) throw error
  const fields = error.data?.fields ?? []
  return fields.length === 0 ? [{ field: '', rule: `code.${error.code}` }] : fields.map(issueAt)
}

/** Return the one member of staff whom a cell names by work number or name; null for none and for several. */
async function hostOf({ people }: Pick<VisitorsDependencies, 'people'>, scope: Scope, text: string): Promise<string | null> {
  const { content } = await people.list(scope, { workNumber: text, kind: 'staff', status: 1, page: 1, size: 20 })
  const numbered = content.filter(({ workNumber }) => workNumber.toLowerCase() === text.toLowerCase())
  return numbered.length === 1 ? numbered[0]!.id : findTypedHost({ people }, scope, { name: text })
}

/** Return a row as the form of an invitation, or what is wrong with it. */
export async function formOf(
  needs: Pick<VisitorsDependencies, 'people' | 'organisation'>,
  scope: Scope,
  values: ImportValues,
): Promise<{ fields: VisitFields } | { issues: StoredIssue[] }> {
  const { zone } = needs.organisation.park(scope)
  const issues = Object.entries(values).flatMap(([field, text]): StoredIssue[] =>
    isStorableText(text) ? [] : [{ field, rule: 'invalid' }],
  )
  if (issues.length > 0) return { issues }
  const moment = (field: 'visitTime' | 'visitEndTime'): number | undefined => {
    const text = values[field]
    const found = text === undefined ? null : typedMoment(text, zone, field === 'visitEndTime')
    if (found === null && text !== undefined) issues.push({ field, rule: 'moment' })
    return found ?? undefined
  }
  const [visitTime, visitEndTime] = [moment('visitTime'), moment('visitEndTime')]
  const reason = values.reason === undefined ? undefined : reasonOf(values.reason)
  if (reason === null) issues.push({ field: 'reason', rule: 'visitReason' })
  const intervieweeId = values.host === undefined ? null : await hostOf(needs, scope, values.host)
  if (values.host !== undefined && intervieweeId === null) issues.push({ field: 'host', rule: 'typedHost' })
  const { name, phone, email, remark } = values
  const form = visitCreate.safeParse(
    { source: visitorSource.invitation, name, phone, email, remark, reason, visitTime, visitEndTime, intervieweeId },
    { reportInput: true },
  )
  if (form.success && issues.length === 0) return { fields: form.data }
  const named = new Set(issues.map(({ field }) => field))
  const others = form.success ? [] : fieldIssuesOf(form.error).map(issueAt)
  return { issues: [...issues, ...others.filter(({ field }) => !named.has(field))] }
}

/**
 * Return the id of the visit that a row makes: the same for a visitor of this name and phone at this time, so that a spreadsheet that is
 * handed in twice invites once.
 * @param key of the park
 */
export const visitIdOf = (key: Buffer, { name, phone, visitTime }: Pick<VisitFields, 'name' | 'phone' | 'visitTime'>): string =>
  uuidV8(
    createHmac('sha256', key)
      .update(JSON.stringify([name, phone, visitTime]))
      .digest(),
  )
