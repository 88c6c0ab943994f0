/** All areas, each after those it uses, and their composition. */
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
import { printersContext } from './contexts/printers/index.ts'
import { privacyContext } from './contexts/privacy/index.ts'
import { questionsContext } from './contexts/questions/index.ts'
import { recordsContext } from './contexts/records/index.ts'
import { relationsContext } from './contexts/relations/index.ts'
import { restrictionsContext } from './contexts/restrictions/index.ts'
import { statisticsContext } from './contexts/statistics/index.ts'
import { strategiesContext } from './contexts/strategies/index.ts'
import { surveillanceContext } from './contexts/surveillance/index.ts'
import { synchronisationContext } from './contexts/synchronisation/index.ts'
import { systemContext } from './contexts/system/index.ts'
import { upgradesContext } from './contexts/upgrades/index.ts'
import { visitorsContext } from './contexts/visitors/index.ts'
import { gatewayContext } from './gateway/index.ts'
import { BUILTIN_ENGINE } from '@gatehouse/face-engine'
import type { FaceParts } from './contexts/faces/index.ts'
import { everyContext, type Context, type ContextDefinition, type MadeOf, type MountedCall, type Platform } from './platform/context.ts'
import type { ContextMigration } from './platform/database/migrations.ts'
import { platformMigrations } from './platform/database/schema.ts'
import { collectExtensions, extend, type CollectedExtensions } from './platform/extension-points.ts'

/** Add a new area here. */
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
  visitorsContext,
  printersContext,
  surveillanceContext,
  alarmsContext,
  developmentContext,
  demoContext,
  exportsContext,
] as const

/** All areas that were created, by name. */
export type Contexts = { readonly [Definition in (typeof CONTEXTS)[number] as Definition['name']]: MadeOf<Definition> }

export interface Composed {
  contexts: Contexts
  /** The same in their order. */
  list: readonly Context[]
}

/**
 * Create all areas. Each receives the platform and the areas it names; no extension is read meanwhile.
 * @throws Error where an area comes before one that it uses
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
  const contexts = Object.fromEntries([...made].map(([{ name }, context]) => [name, context])) as Contexts
  return { contexts, list }
}

/** Return all migrations, those of the platform first; `migrate` runs them in the order of their names. */
export const migrationsOf = (contexts: readonly Context[]): ContextMigration[] => [
  ...platformMigrations,
  ...contexts.flatMap((context) => context.migrations),
]

/** Return every call to mount. */
export const mountedCalls = (contexts: readonly Context[]): MountedCall[] => contexts.flatMap((context) => context.calls)

/** Return the contexts without a working platform: for the inventory, which only reads tables, and for lists of calls and migrations. */
export function composeUnstarted(): Composed {
  const extensions = collectExtensions()
  // The parts of the platform that areas use while they are created; the rest is used once they are started.
  const events: Pick<Platform['events'], 'consume'> = { consume: () => {} }
  const work: Pick<Platform['work'], 'define'> = { define: () => {} }
  const audit: Pick<Platform['audit'], 'follow'> = { follow: () => {} }
  const platform: Pick<Platform, 'config' | 'events' | 'work' | 'audit' | 'extensions'> = {
    config: {} as Platform['config'],
    events: events as Platform['events'],
    work: work as Platform['work'],
    audit: audit as Platform['audit'],
    extensions,
  }
  return compose(platform as Platform, extensions, { facePool: { description: BUILTIN_ENGINE } } as FaceParts)
}
