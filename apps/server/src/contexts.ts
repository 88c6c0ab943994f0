/** All areas, each after those it uses, and how they are put together. */
import { alarmsContext } from './contexts/alarms/index.ts'
import { approvalsContext } from './contexts/approvals/index.ts'
import { auditContext } from './contexts/audit/index.ts'
import { cardsContext } from './contexts/cards/index.ts'
import { clinicContext } from './contexts/clinic/index.ts'
import { configurationContext } from './contexts/configuration/index.ts'
import { demoContext } from './contexts/demo/index.ts'
import { developmentContext } from './contexts/development/index.ts'
import { devicesContext } from './contexts/devices/index.ts'
import { doorsContext } from './contexts/doors/index.ts'
import { enrolmentContext } from './contexts/enrolment/index.ts'
import { exportsContext } from './contexts/exports/index.ts'
import { facesContext } from './contexts/faces/index.ts'
import { identityContext } from './contexts/identity/index.ts'
import { importsContext } from './contexts/imports/index.ts'
import { maintenanceContext } from './contexts/maintenance/index.ts'
import { organisationContext } from './contexts/organisation/index.ts'
import { peopleContext } from './contexts/people/index.ts'
import { privacyContext } from './contexts/privacy/index.ts'
import { questionsContext } from './contexts/questions/index.ts'
import { recordsContext } from './contexts/records/index.ts'
import { relationsContext } from './contexts/relations/index.ts'
import { restrictionsContext } from './contexts/restrictions/index.ts'
import { statisticsContext } from './contexts/statistics/index.ts'
import { strategiesContext } from './contexts/strategies/index.ts'
import { synchronisationContext } from './contexts/synchronisation/index.ts'
import { systemContext } from './contexts/system/index.ts'
import { upgradesContext } from './contexts/upgrades/index.ts'
import { gatewayContext } from './gateway/index.ts'
import { BUILTIN_ENGINE } from '@gatehouse/face-engine'
import type { FaceParts } from './contexts/faces/index.ts'
import { everyContext, type Context, type ContextDefinition, type MadeOf, type MountedCall, type Platform } from './platform/context.ts'
import type { ContextMigration } from './platform/database/migrations.ts'
import { platformMigrations } from './platform/database/schema.ts'
import { collectExtensions, extend, type CollectedExtensions } from './platform/extension-points.ts'

/** A new area is a line here. */
const CONTEXTS = [
  organisationContext,
  identityContext,
  facesContext,
  peopleContext,
  devicesContext,
  relationsContext,
  cardsContext,
  strategiesContext,
  synchronisationContext,
  recordsContext,
  statisticsContext,
  clinicContext,
  approvalsContext,
  questionsContext,
  restrictionsContext,
  configurationContext,
  doorsContext,
  gatewayContext,
  maintenanceContext,
  upgradesContext,
  privacyContext,
  systemContext,
  auditContext,
  importsContext,
  enrolmentContext,
  alarmsContext,
  developmentContext,
  demoContext,
  exportsContext,
] as const

/** Every area that was made, by its name. */
export type Contexts = { readonly [Definition in (typeof CONTEXTS)[number] as Definition['name']]: MadeOf<Definition> }

export interface Composed {
  contexts: Contexts
  /** The same in their order. */
  list: readonly Context[]
}

/**
 * Make all areas; each is given the platform and those it names, and none is asked for anything yet.
 * @throws where one stands before an area it uses
 */
export function compose(platform: Platform, extensions: CollectedExtensions, parts: FaceParts): Composed {
  const made = new Map<ContextDefinition, Context>()
  for (const definition of CONTEXTS as readonly ContextDefinition[]) {
    const used = Object.fromEntries(
      Object.entries(definition.uses).map(([name, other]) => {
        const context = made.get(other)
        if (context === undefined) throw new Error(`${definition.name} uses ${other.name}, which comes later in the list of areas`)
        return [name, context]
      }),
    )
    made.set(definition, definition.create(platform, used as never, parts as never))
  }
  const list = [...made.values()]
  extensions.complete(list.flatMap((context) => [extend(everyContext, context), ...(context.extensions ?? [])]))
  const contexts = Object.fromEntries([...made].map(([{ name }, context]) => [name, context])) as unknown as Contexts
  return { contexts, list }
}

/** All migrations, in the order of their names. */
export const migrationsOf = (contexts: readonly Context[]): ContextMigration[] => [
  ...platformMigrations,
  ...contexts.flatMap((context) => context.migrations),
]

/** Every call that is mounted. */
export const callsOf = (contexts: readonly Context[]): MountedCall[] => contexts.flatMap((context) => context.calls)

/** The mounted calls and contexts without anything behind them: for the inventory, which only reads tables. */
export function composeUnstarted(): Composed {
  const extensions = collectExtensions()
  const platform = {
    config: {},
    events: { consume: () => {} },
    work: { define: () => {} },
    audit: { follow: () => {} },
    extensions,
  } as unknown as Platform
  return compose(platform, extensions, { facePool: { description: BUILTIN_ENGINE } } as unknown as FaceParts)
}
