/** Records, pictures and erasures of a simulated device, as its outboxes share them. */
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import type { Journal } from './journal.ts'

/** Acknowledged records kept for a server that was restored from its backup. */
const KEPT = 500

export interface OutboxOptions {
  journal: Journal
  /** Most records that the server does not have yet. */
  recordLimit?: number
  /** Most pictures; the oldest are dropped first. */
  pictureLimit?: number
  /**
   * Name of an epoch whose records every run makes again from the same seed. What the server has of it counts as made, and no other epoch
   * begins.
   */
  resumes?: string
}

export interface Epoch {
  name: string
  lastSeq: number
  ackSeq: number
  /** Records with numbers up to `lastSeq`, from the oldest kept on. */
  records: RecordObject[]
}

export interface Place {
  epoch: string
  seq: number
}

export interface Picture {
  recordId: string
  image: Uint8Array
  sent: boolean
}

/** What the outboxes share. Fields that are not readonly change with each write: read them from here each time. */
export interface OutboxParts {
  readonly journal: Journal
  readonly recordLimit: number
  readonly pictureLimit: number
  readonly resumes: string | undefined
  epochs: Epoch[]
  pictures: Picture[]
  /** Persons whose records name nobody once the server has them. */
  erased: ReadonlySet<string>
  newestErasure: string | null
  /** Epoch and number of the record of each picture. */
  readonly places: Map<string, Place>
}

const nameless = ({
  contactId: _id,
  contactName: _name,
  temperature: _degrees,
  temperatureStatus: _status,
  ...record
}: RecordObject): RecordObject => ({ ...record, personId: null, personName: '', hasPicture: false })

export const beginning = (name: string): Epoch => ({ name, lastSeq: 0, ackSeq: 0, records: [] })

/** Return what the outboxes share before the first record of an epoch. */
export const emptied = (epoch: string): Pick<OutboxParts, 'epochs' | 'pictures' | 'erased' | 'newestErasure'> => ({
  epochs: [beginning(epoch)],
  pictures: [],
  erased: new Set(),
  newestErasure: null,
})

export const oldestOf = ({ lastSeq, records }: Epoch): number => lastSeq - records.length + 1

export const isErased = ({ erased }: OutboxParts, { personId }: RecordObject): boolean => personId !== null && erased.has(personId)

/** Note that the server has the records of an epoch up to a number. */
export function mark(parts: OutboxParts, epoch: Epoch, ackSeq: number): void {
  epoch.ackSeq = ackSeq
  if (parts.erased.size > 0)
    epoch.records = epoch.records.map((record) => (isErased(parts, record) && record.seq <= ackSeq ? nameless(record) : record))
  const superfluous = ackSeq - oldestOf(epoch) + 1 - KEPT
  // Not each time, since it copies the records that are kept.
  if (superfluous > KEPT) epoch.records = epoch.records.slice(superfluous)
}

/** Return whether a record was acknowledged. One whose place is no longer known was acknowledged. */
export const isAcknowledged = ({ epochs }: OutboxParts, place: Place | undefined): boolean =>
  place === undefined || epochs.some(({ name, ackSeq }) => name === place.epoch && place.seq <= ackSeq)
