/** Escalation: alarms that nobody deals with in time are marked, shown again, and listed in one e-mail. */
import type { DataOf, OutputOf } from '@gatehouse/contract'
import { ESCALATION_DEFAULT, escalationFields, type Escalation, type escalationCalls } from '@gatehouse/contract/alarms/escalation'
import type { Platform } from '../../platform/context.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { forbid } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { fileTexts, mailText } from '../../platform/texts.ts'
import { defineSetting, type OrganisationService, type Settings } from '../organisation/index.ts'
import type { AlarmKind, AlarmKindName, OverdueAlarm } from './kinds.ts'
import { checkedAddresses, unmasked } from './addresses.ts'
import { enumWord } from './alarm-words.ts'
import { clockText, subjectText } from './case-words.ts'
import { maySetAlarms } from './policy.ts'

/** Alarms of one kind that one run escalates; the next run goes on. */
const AT_ONCE = 500
/** Alarms that an e-mail lists; it counts the others. */
const LISTED_MAX = 50
const MINUTE = 60_000
const DAY = 86_400_000

const setting = defineSetting('alarms.escalation', escalationFields, ESCALATION_DEFAULT)

export interface EscalationService {
  read(scope: Scope): Escalation
  /**
   * @param masking addresses may have come back masked
   * @throws Refusal 1200001 an address that is none, 1200002 too many addresses; Conflict
   */
  save(
    scope: Scope,
    change: OutputOf<(typeof escalationCalls)['save']['body']>,
    masking: boolean,
  ): Promise<DataOf<(typeof escalationCalls)['save']>>
  /** Escalates what is overdue in all parks. */
  job: Job
}

export interface EscalationNeeds {
  settings: Settings
  organisation: Pick<OrganisationService, 'parks' | 'park'>
  kinds: readonly AlarmKind[]
  /** Return the start of links; null where none is known. */
  publicAddress(scope: Scope): string | null
}

/** Screens that list alarms of a kind, for the links of e-mails. */
const SCREEN_OF: Readonly<Partial<Record<AlarmKindName, string>>> = {
  face: '/monitorAlarm',
  deviceEvent: '/deviceAlarm',
  aiBox: '/AIBoxAlarm',
  rule: '/ruleAlarm',
  maintenance: '/maintenanceAlarm',
}

type Marked = OverdueAlarm & { kind: AlarmKindName }

export function createEscalation(platform: Platform, { settings, organisation, kinds, publicAddress }: EscalationNeeds): EscalationService {
  function read({ parkId }: Scope): Escalation {
    const { secretsSet: _, ...shown } = settings.show(parkId, setting)
    return shown
  }

  /** Return the e-mail that lists alarms; the earliest first. */
  function mailOf(scope: Scope, marked: readonly Marked[]) {
    const { language, minutes } = settings.read(scope.parkId, setting)
    const { name: park, zone } = organisation.park(scope)
    const lines = marked
      .toSorted((one, other) => one.time - other.time)
      .slice(0, LISTED_MAX)
      .map(({ kind, subject, time, level, deviceName }) =>
        [
          clockText(time, zone),
          fileTexts(language).alarmCases.kinds[kind],
          ...(subject === '' ? [] : [subjectText(language, kind, subject)]),
          deviceName,
          enumWord(language, 'alarmLevel', level),
        ].join(' · '),
      )
    const address = publicAddress(scope)?.replace(/\/+$/, '')
    const paths = [...new Set(marked.map(({ kind }) => SCREEN_OF[kind]))].filter((path) => path !== undefined)
    const links = address === undefined ? [] : paths.map((path) => `${address}/#${path}`)
    return mailText(language, 'alarmsEscalated', {
      park,
      count: String(marked.length),
      minutes: String(minutes),
      alarms: [...lines, ...(marked.length > LISTED_MAX ? ['…'] : []), ...(links.length > 0 ? ['', ...links] : [])].join('\n'),
    })
  }

  async function escalate(scope: Scope): Promise<number> {
    const { minutes, minLevel, emails } = settings.read(scope.parkId, setting)
    const now = platform.clock.now()
    const query = { until: now - minutes * MINUTE, since: now - minutes * MINUTE - DAY, minLevel, limit: AT_ONCE }
    const overdue = await Promise.all(kinds.map(async (kind) => ({ kind, alarms: await kind.overdue(scope, query) })))
    if (overdue.every(({ alarms }) => alarms.length === 0)) return 0
    return platform.transaction(async (tx) => {
      const all: Marked[] = []
      for (const { kind, alarms } of overdue) {
        if (alarms.length === 0) continue
        const ids = new Set(
          await kind.markEscalated(
            tx,
            scope,
            alarms.map(({ id }) => id),
            now,
          ),
        )
        if (ids.size === 0) continue
        all.push(...alarms.filter(({ id }) => ids.has(id)).map((alarm) => ({ ...alarm, kind: kind.name })))
      }
      if (all.length === 0) return 0
      const mail = mailOf(scope, all)
      for (const to of emails) await platform.messages.send(tx, { channel: 'email', to, userId: null, ...mail })
      return all.length
    })
  }

  return {
    read,
    async save(scope, { version, emails, ...change }, masking) {
      if (!maySetAlarms(scope)) forbid()
      const checked = emails && checkedAddresses(masking ? unmasked(emails, read(scope).emails) : emails)
      await settings.write(scope.parkId, setting, { ...change, emails: checked }, version)
      return read(scope)
    },
    job: {
      name: 'alarms.escalate',
      schedule: '* * * * *',
      async run() {
        let alarms = 0
        for (const { id: parkId } of organisation.parks()) if (settings.read(parkId, setting).enabled) alarms += await escalate({ parkId })
        return { outcome: alarms > 0 ? 'success' : 'skipped', counts: { alarms } }
      },
    },
  }
}
