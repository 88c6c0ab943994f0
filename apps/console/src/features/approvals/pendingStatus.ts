/** How a change that waits, or waited, is marked. */
import type { PendingState } from '@gatehouse/contract/approvals/written-rules'

export const STATUS_OF = { waiting: 'wait', confirmed: 'ok', rejected: 'bad', outdated: 'off', expired: 'off' } as const satisfies Record<
  PendingState,
  string
>
