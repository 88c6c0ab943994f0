/** Interfaces of alarms of AI boxes, and what they need of other areas. */
import type { DataOf, Language, OutputOf } from '@gatehouse/contract'
import type { AiBoxAlarm, AiBoxBubble, aiBoxCalls } from '@gatehouse/contract/alarms/ai-box'
import type { aiBoxDeviceCalls } from '@gatehouse/contract/device/ai-box'
import type { Transaction } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Actor, Scope, SignedInDevice } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import type { AlarmMails } from './alarm-mails.ts'
import type { LiveRows } from './live.ts'

export interface AiBoxNeeds {
  devices: Pick<DevicesService, 'facts' | 'noteStatus'>
  mails: Pick<AlarmMails, 'note'>
}

export type AiBoxEventMessage = OutputOf<(typeof aiBoxDeviceCalls)['event']['body']>
type Option = DataOf<(typeof aiBoxCalls)['range']>[number]

/** What boxes send. */
export interface AiBoxReceiving {
  /**
   * Store an event of a box once.
   * @throws NotFound for a device of another type; Refusal 200205 for a picture that cannot be read, 900000 where too many wait
   */
  receive(device: SignedInDevice, message: AiBoxEventMessage, ip: string): Promise<DataOf<(typeof aiBoxDeviceCalls)['event']>>
}

export interface AiBoxAlarms {
  bubbles: LiveRows<AiBoxBubble>
  /** Cameras that visible boxes have told of. */
  cameras(scope: Scope): Promise<Option[]>
  levels(language: Language): Option[]
  /** Known events, and others that visible boxes have told of. */
  events(scope: Scope, language: Language): Promise<Option[]>
  /** @throws Refusal 900007; InvalidRequest */
  list(scope: Scope, query: OutputOf<(typeof aiBoxCalls)['list']['body']>, language: Language): Promise<DataOf<(typeof aiBoxCalls)['list']>>
  /** @throws Refusal 500012, 500013 */
  dispose(scope: Scope, actor: Actor, handling: OutputOf<(typeof aiBoxCalls)['dispose']['body']>, language: Language): Promise<AiBoxAlarm>
  job: Job
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}
