/** The demo campus: whether a park is one, what of it the demo made, and its removal. */
import type { Context, Platform } from '../../platform/context.ts'
import { demoHandlers } from './calls.ts'
import { createForeseeRemoval, type ForeseenNeeds } from './foreseen.ts'
import { REMOVAL, createRemoval, type RemovalNeeds } from './removal.ts'
import { demoMigrations } from './schema.ts'
import { createDemoService, type DemoNeeds, type DemoService } from './service.ts'

export type { DemoService } from './service.ts'

export interface DemoContext extends Context {
  service: DemoService
}

export function createDemo(platform: Platform, needs: DemoNeeds & RemovalNeeds & ForeseenNeeds): DemoContext {
  const service = createDemoService(platform, needs)
  platform.work.define({ kind: REMOVAL, run: createRemoval(platform, needs) })
  return {
    name: 'demo',
    service,
    calls: demoHandlers(service, createForeseeRemoval(service, needs)),
    migrations: demoMigrations,
    start: () => service.resume(),
    async erasePark(tx, scope) {
      await service.erasePark(tx, scope)
      return {}
    },
  }
}
