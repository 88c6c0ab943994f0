/** Alerts of visits, as live screens receive them: a visit waits for a decision, or a visitor has arrived. */
import { z } from 'zod'
import { alertBubbleType, visitAlertType } from '../enums/alarms.ts'
import { visitorSignInSource, visitReason } from '../enums/visitors.ts'
import { masked } from '../masking.ts'
import { id, instant } from '../schema.ts'

/** Words of the reasons, the same in every language; `visitReason` has their numbers. */
const REASONS = ['business', 'interview', 'meeting', 'other'] as const

/** Return the word of a reason. */
export const reasonWord = (reason: number): (typeof REASONS)[number] => REASONS.find((word) => visitReason[word] === reason) ?? 'other'

/** The console's list of visits. */
const VISITS = '/visitorCurrent'
/** Addresses in the console to which alerts lead: the visits to be reviewed, and the visit of a visitor who has arrived. */
export const visitUrlOf = (type: number, visitId: string): string =>
  type === visitAlertType.check ? `${VISITS}?status=5` : `${VISITS}?visit=${encodeURIComponent(visitId)}`

/** The specification's AlarmBubble, of a visit. */
export const visitAlert = z.object({
  /** Of the visit. */
  id,
  bubbleType: z.literal(alertBubbleType.visit),
  type: visitAlertType.schema,
  visitorName: masked('name', z.string()),
  /** Name of the host; empty where there is none. */
  visiteeName: masked('name', z.string()),
  /** When the visit is to begin; of an arrival, when the visitor came. */
  visitTime: instant,
  /** The reason of the visit. */
  content: z.enum(REASONS),
  remark: z.string(),
  /** Signed address of the visitor's photo; empty where there is none. */
  faceUrl: z.string(),
  /** Address in the console, after the `#`. */
  visitUrl: z.string(),
  /** How the visitor signed in; null for a check, and for a visitor who came through a door. */
  passType: visitorSignInSource.schema.nullable(),
})
export type VisitAlert = z.output<typeof visitAlert>
