import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Monitoring tasks were added, changed or deleted: they look out at other devices, for others, or at other times. */
export const monitoringTasksChanged = defineEvent('surveillance.tasksChanged', z.object({ taskIds: z.array(z.string()) }))
