/** What an import is told in words, in the language of whoever asks. */
import { FACES_PER_PERSON, type Language } from '@gatehouse/contract'
import type { ImportIssue } from '@gatehouse/contract/imports/calls'
import { seesAllDevices, type Scope } from '../../platform/session/session.ts'
import { ruleText } from '../../platform/texts.ts'
import type { StoredIssue } from './schema.ts'

/**
 * An issue of a row as the asker may be told it: doors, which a written rule names, are not named where not all of them
 * exist for the asker.
 */
export function issueSeenBy(scope: Scope, issue: StoredIssue): StoredIssue {
  if (seesAllDevices(scope) || issue.params?.['doors'] === undefined) return issue
  const { name = '', sentence = '' } = issue.params
  return { ...issue, rule: 'writtenRuleElsewhere', params: { name, sentence } }
}

/** An issue as it is answered. */
export const issueIn = (language: Language, { field, code, rule, params }: StoredIssue): ImportIssue => ({
  field,
  code,
  rule,
  ...(params && { params }),
  words: ruleText(language, rule, params),
})

const STRAY: Record<string, string> = {
  unknownNumber: 'photoUnknownNumber',
  tooMany: 'photoTooMany',
  twice: 'photoTwice',
  unreadable: 'code.200205',
}

export const strayWords = (language: Language, reason: string, issue: StoredIssue | null): string =>
  reason === 'unreadable' && issue !== null
    ? ruleText(language, issue.rule, issue.params)
    : ruleText(language, STRAY[reason] ?? reason, { limit: FACES_PER_PERSON })
