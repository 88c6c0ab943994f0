/** What the walks over all calls and all screens need of an area and cannot read from its schemas. */
import type { Call } from '@gatehouse/contract'
import type { Site, World } from '@gatehouse/dev-env/world'
import type { ScreenName } from '../../../apps/console/src/screens.ts'
import type { Fixtures } from '../fixtures.ts'
import type { Given } from '../requests.ts'

/** The park in which a call is tried. */
export interface Ground {
  world: World
  /** The park in which the things the call names are created. */
  site: Site
}

export interface CallCase {
  call: Call
  /**
   * Return values for its fields, created again for each use in that park; ids among them name things of that park. Absent: none are
   * needed.
   */
  given?: (ground: Ground) => Given | Promise<Given>
  /** Values of fields that name nothing, and that the schema does not require on its own. */
  needs?: Given
  /** Status and code of the answer to a caller who has the permission. Default: 200 and 0. */
  lastWord?: [status: number, code: number]
  /**
   * Whether its ids name something of a park or node, so that the id of a foreign one must reveal nothing. False for what belongs to the
   * installation. Default true.
   */
  foreign?: boolean
  /**
   * Whether it is walked with wrong values in a park of its own, since it changes rules that other calls of the park obey: which of its
   * values stays depends on the order in which requests arrive. Default false.
   */
  apart?: boolean
}

/** What a parameter of a screen names: one of the fixtures, or a sample of what a call reads. */
export type Meaning = Call | ((things: Fixtures, world: World) => string | Promise<string>)

/** By screen, and by parameter: parameters of the path first, then those of the query. */
export type ScreenParameters = Partial<Record<ScreenName, Record<string, Meaning>>>

/** What a file of this folder exports. */
export interface AreaCases {
  cases?: readonly CallCase[]
  screens?: ScreenParameters
  /** Calls whose `given` creates a row for each list; run before the screens are walked. */
  listed?: readonly Call[]
}
