/** For whoever looks into an installation: the context as others see it. */
import type { Context, Platform } from '../../platform/context.ts'
import { developmentHandlers } from './calls.ts'
import { createDevelopmentService, type DevelopmentNeeds } from './service.ts'

export function createDevelopment(platform: Platform, needs: DevelopmentNeeds): Context {
  return { name: 'development', calls: developmentHandlers(createDevelopmentService(platform, needs), needs.access), migrations: [] }
}
