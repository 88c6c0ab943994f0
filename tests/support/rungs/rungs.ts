/** What the ladder of permissions needs to know of a call that its schemas do not say. */
import type { Call } from '@gatehouse/contract'
import type { Site, World } from '@gatehouse/dev-env/world'
import type { Given } from '../requests.ts'

/** Where a call is tried. */
export interface Ground {
  world: World
  /** The park in which the things it names are made. */
  site: Site
}

export interface Rung {
  call: Call
  /** Values for its fields, made afresh in that park; ids among them name things of that park. Absent: none are needed. */
  given?: (ground: Ground) => Given | Promise<Given>
  /** Values of fields that name nothing, and that its schema does not demand by themselves. */
  needs?: Given
  /** What it answers to a caller who may: 200 and 0 unless told. */
  lastWord?: [status: number, code: number]
  /**
   * Whether its ids name something of a park or node, so that a foreign one gives nothing away. False for what belongs to
   * the installation. Default true.
   */
  foreign?: boolean
}
