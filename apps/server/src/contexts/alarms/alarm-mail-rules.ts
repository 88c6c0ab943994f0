/**
 * Which alarms are sent in e-mails of their own, which are grouped, and which wait for the digest of the hour. Pure: the caller stores what
 * is decided here.
 *
 * - The first alarm of a key is sent at once and opens a window. Repeats within it are counted in one follow-up at its end.
 * - An alarm of a higher level than the window's is a new fact, and is sent at once.
 * - What goes beyond the e-mails of an hour is in one digest when the hour is over. An alarm that waits for it opens no window: nobody has
 *   been sent an e-mail of its key.
 */

export interface MailRules {
  minLevel: number
  groupMinutes: number
  /** 0: without limit. */
  budgetPerHour: number
}

export interface PendingAlarm {
  id: string
  key: string
  level: number
  notedAt: number
}

/** A time in which alarms of a key are repeats. */
export interface MailWindow {
  /** The highest level that was sent. */
  level: number
  endsAt: number
}

export interface MailState {
  /** Start of the hour that `sent` is of. */
  hour: number
  /** E-mails of the hour, without digests. */
  sent: number
  windows: ReadonlyMap<string, MailWindow>
  /** Stored repeats of the windows that have ended, by key. */
  repeats: ReadonlyMap<string, readonly string[]>
}

/** What is decided of an alarm: the state of its row. */
export type MailOutcome = 'sent' | 'repeated' | 'budget' | 'level'

export interface FollowUp {
  key: string
  /** The repeats, oldest first. */
  ids: readonly string[]
}

export interface MailPlan {
  /** The hour of the state is over: what waits of it is due in a digest, before anything else of the plan. */
  closesHour: boolean
  hour: number
  sent: number
  /** Alarms with an e-mail of their own, in their order. */
  singles: readonly string[]
  followUps: readonly FollowUp[]
  outcomes: ReadonlyMap<string, MailOutcome>
  windows: ReadonlyMap<string, MailWindow>
}

const MINUTE = 60_000
export const HOUR = 60 * MINUTE

/** Return the start of the hour of a moment. */
export const hourOf = (moment: number): number => Math.floor(moment / HOUR) * HOUR

/** Return what to do now. @param pending alarms that nothing was decided of, in the order in which they were noted */
export function planMails(rules: MailRules, state: MailState, pending: readonly PendingAlarm[], now: number): MailPlan {
  const hour = hourOf(now)
  const closesHour = hour !== state.hour
  let sent = closesHour ? 0 : state.sent
  const windows = new Map(state.windows)
  const repeats = new Map([...state.repeats].map(([key, ids]) => [key, [...ids]]))
  const addRepeat = (key: string, id: string): void => {
    const ids = repeats.get(key)
    if (ids === undefined) repeats.set(key, [id])
    else ids.push(id)
  }
  const outcomes = new Map<string, MailOutcome>()
  const singles: string[] = []
  const ended: FollowUp[] = []

  const hasBudget = (): boolean => rules.budgetPerHour === 0 || sent < rules.budgetPerHour
  function close(key: string): void {
    windows.delete(key)
    const ids = repeats.get(key) ?? []
    repeats.delete(key)
    if (ids.length > 0) ended.push({ key, ids })
  }

  for (const { id, key, level, notedAt } of pending) {
    if (level < rules.minLevel) {
      outcomes.set(id, 'level')
      continue
    }
    if ((windows.get(key)?.endsAt ?? Infinity) <= notedAt) close(key)
    const window = windows.get(key)
    if (window !== undefined && level <= window.level) {
      addRepeat(key, id)
      outcomes.set(id, 'repeated')
    } else if (hasBudget()) {
      sent++
      singles.push(id)
      outcomes.set(id, 'sent')
      if (window !== undefined) windows.set(key, { ...window, level })
      else if (rules.groupMinutes > 0) windows.set(key, { level, endsAt: notedAt + rules.groupMinutes * MINUTE })
    } else outcomes.set(id, 'budget')
  }

  for (const [key, { endsAt }] of windows) if (endsAt <= now) close(key)
  // After the new alarms: a repeat never takes the last e-mail of an hour from a new fact.
  const followUps = ended.filter(({ ids }) => {
    const isSent = hasBudget()
    if (isSent) sent++
    else for (const id of ids) outcomes.set(id, 'budget')
    return isSent
  })
  return { closesHour, hour, sent, singles, followUps, outcomes, windows }
}
