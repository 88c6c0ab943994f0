/**
 * Sending of e-mails about alarms. What is sent is decided by `alarm-mail-rules.ts`, in a transaction that locks the hour of the park.
 * E-mails are stored in that transaction too, so that each is sent once, whatever ends the server meanwhile.
 */
import type { EmailAlarm } from '@gatehouse/contract/alarms/email'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { PeopleService } from '../people/index.ts'
import { hourOf, planMails, type MailOutcome, type MailPlan } from './alarm-mail-rules.ts'
import { digestLetter, repeatedLetter, singleLetter, type AlarmLetter, type LetterHead, type WrittenAlarm } from './alarm-mail-text.ts'
import * as data from './alarm-mails-data.ts'

export interface AlarmMailNeeds {
  people: Pick<PeopleService, 'facts'>
  organisation: Pick<OrganisationService, 'park'>
  /** Return the start of links; null where none is known. */
  publicAddress(scope: Scope): string | null
  /** What the park has set for e-mails about alarms. */
  settings(scope: Scope): EmailAlarm
}

/** Alarms decided of in one transaction. */
const AT_ONCE = 500

/** Return whether the park wants e-mails about alarms, and can send them. */
export const isWanted = ({ enabled, emails, delivers }: EmailAlarm): boolean => enabled && delivers && emails.length > 0

/** Return the function that sends what is due in a park. */
export function createAlarmMailSending(
  platform: Platform,
  { people, organisation, publicAddress, settings }: AlarmMailNeeds,
): (scope: Scope) => Promise<void> {
  const { clock, messages } = platform

  function headOf(scope: Scope): LetterHead {
    const { name: park, zone } = organisation.park(scope)
    return { language: settings(scope).language, park, zone, address: publicAddress(scope) }
  }

  /** Return a function that writes alarms with the names of their persons, except those of the watch list: an e-mail is read by anybody. */
  async function writer(tx: Transaction, scope: Scope, rows: readonly data.AlarmMailRow[]) {
    const ids = [...new Set(rows.flatMap(({ personId }) => personId ?? []))]
    const persons = ids.length === 0 ? [] : await people.facts(seeingAll(scope), ids, tx)
    const names = new Map(persons.filter(({ kind }) => kind !== 'special').map(({ id, name }) => [id, name]))
    return (row: data.AlarmMailRow): WrittenAlarm => ({ ...row, personName: names.get(row.personId ?? '') ?? '' })
  }

  async function post(tx: Transaction, scope: Scope, { subject, text }: AlarmLetter): Promise<void> {
    for (const to of settings(scope).emails) await messages.send(tx, { channel: 'email', to, subject, text, userId: null })
  }

  async function postDigest(tx: Transaction, scope: Scope, now: number): Promise<void> {
    const entries = await data.takeDigest(scope, tx, now)
    if (entries.length === 0) return
    const written = await writer(tx, scope, entries)
    const parts = entries.map((entry) => ({ latest: written(entry), count: entry.count, firstAt: entry.firstAt }))
    await post(tx, scope, digestLetter(headOf(scope), parts))
  }

  async function postPlanned(tx: Transaction, scope: Scope, plan: MailPlan, rows: readonly data.AlarmMailRow[]): Promise<void> {
    const byId = new Map(rows.map((row) => [row.id, row]))
    const rowsOf = (ids: readonly string[]): data.AlarmMailRow[] => ids.flatMap((id) => byId.get(id) ?? [])
    const [singles, groups] = [rowsOf(plan.singles), plan.followUps.map(({ ids }) => rowsOf(ids))]
    if (singles.length + groups.length === 0) return
    const head = headOf(scope)
    const written = await writer(tx, scope, [...singles, ...groups.flatMap((ofKey) => ofKey.at(-1) ?? [])])
    for (const row of singles) await post(tx, scope, singleLetter(head, written(row)))
    for (const ofKey of groups) await post(tx, scope, repeatedLetter(head, ofKey.map(written)))
  }

  async function store(tx: Transaction, scope: Scope, plan: MailPlan, now: number): Promise<void> {
    const followed = new Set(plan.followUps.flatMap(({ ids }) => ids))
    const byOutcome = Map.groupBy(
      [...plan.outcomes].filter(([id]) => !followed.has(id)),
      ([, outcome]) => outcome,
    )
    const idsOf = (outcome: MailOutcome): string[] => (byOutcome.get(outcome) ?? []).map(([id]) => id)
    await data.updateOutcome(scope, tx, idsOf('sent'), { state: 'sent', includedAt: now })
    for (const state of ['repeated', 'budget', 'level'] as const)
      await data.updateOutcome(scope, tx, idsOf(state), { state, includedAt: null })
    await data.updateOutcome(scope, tx, [...followed], { state: 'repeated', includedAt: now })
    await data.updateHour(scope, tx, plan)
  }

  /** Decide of one lot of alarms, and send what is due. @returns whether more may wait */
  const sendSome = (scope: Scope): Promise<boolean> =>
    platform.transaction(async (tx) => {
      const now = clock.now()
      const rules = settings(scope)
      const { hour, sent } = await data.lockHour(scope, tx, hourOf(now))
      if (!isWanted(rules)) {
        await data.dropWaiting(scope, tx)
        return false
      }
      const [pending, stored] = [await data.listPending(scope, tx, AT_ONCE), await data.listWindows(scope, tx)]
      const before = new Map(stored.map(({ key, level, endsAt }) => [key, { level, endsAt }]))
      const ended = stored.filter(({ endsAt }) => endsAt <= now).map(({ key }) => key)
      const repeats = await data.listRepeats(scope, tx, ended)
      const idsByKey = new Map([...Map.groupBy(repeats, ({ key }) => key)].map(([key, rows]) => [key, rows.map(({ id }) => id)]))
      const plan = planMails(rules, { hour, sent, windows: before, repeats: idsByKey }, pending, now)
      if (plan.closesHour) await postDigest(tx, scope, now)
      await postPlanned(tx, scope, plan, [...pending, ...repeats])
      await store(tx, scope, plan, now)
      await data.changeWindows(scope, tx, {
        stored: [...plan.windows].flatMap(([key, window]) => {
          const former = before.get(key)
          return former?.level === window.level && former.endsAt === window.endsAt ? [] : [{ key, ...window }]
        }),
        ended: [...before.keys()].filter((key) => !plan.windows.has(key)),
      })
      return pending.length === AT_ONCE
    })

  return async (scope) => {
    while (await sendSome(scope));
  }
}
