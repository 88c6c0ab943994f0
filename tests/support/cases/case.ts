/** What the walks over all calls and all screens need to know of an area that its schemas do not say. */
import type { Call } from '@gatehouse/contract'
import type { Site, World } from '@gatehouse/dev-env/world'
import type { ScreenName } from '../../../apps/console/src/screens.ts'
import type { Fixtures } from '../fixtures.ts'
import type { Given } from '../requests.ts'

/** Where a call is tried. */
export interface Ground {
  world: World
  /** The park in which the things it names are made. */
  site: Site
}

export interface CallCase {
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
  /**
   * Whether it is walked with wrong values in a park of its own, since it settles what other calls of the park are held to:
   * which of its values stays is left to the order in which requests arrive. Default false.
   */
  apart?: boolean
}

/** What a parameter of a screen names: one of the fixtures, or a sample of what a call reads. */
export type Meaning = Call | ((things: Fixtures, world: World) => string | Promise<string>)

/** By screen, and by parameter: those of the path first, the others follow in the query. */
export type ScreenParameters = Partial<Record<ScreenName, Record<string, Meaning>>>

/** What a file of this folder exports. */
export interface AreaCases {
  cases?: readonly CallCase[]
  screens?: ScreenParameters
  /** Calls whose `given` makes a row for each list: it is run before the screens are walked. */
  listed?: readonly Call[]
}
