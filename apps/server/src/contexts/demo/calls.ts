/** Handlers of the calls about the demo campus. */
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { createForeseeRemoval } from './foreseen.ts'
import type { DemoService } from './service.ts'

export function demoHandlers(service: DemoService, foreseeRemoval: ReturnType<typeof createForeseeRemoval>): MountedCall[] {
  return [
    handler(organisationCalls.foreseeDemoRemoval, ({ scope }) => foreseeRemoval(scope)),
    handler(organisationCalls.demo, async ({ scope }) => {
      const demo = await service.read(scope)
      if (demo === undefined || demo.phase === 'removed') return { state: 'none' as const, done: 0, total: 0 }
      return { state: demo.phase, done: demo.done, total: demo.total }
    }),
    handler(organisationCalls.removeDemo, async ({ scope, signal }) => {
      const { isRemoved, removed } = await service.remove(scope, signal)
      return { state: isRemoved ? ('none' as const) : ('removing' as const), removed }
    }),
  ]
}
