/** Alarms of AI boxes as callers and live screens see them. */
import type { Language } from '@gatehouse/contract'
import type { AiBoxAlarm, AiBoxBubble } from '@gatehouse/contract/alarms/ai-box'
import { alertBubbleType } from '@gatehouse/contract/enums/alarms'
import type { Scope } from '../../platform/session/session.ts'
import type { Storage } from '../../platform/storage/storage-types.ts'
import type { AiBoxRow } from './ai-box-data.ts'
import { eventWord } from './alarm-words.ts'
import { canDispose } from './policy.ts'

export interface AiBoxPresentation {
  bubbleOf(scope: Scope, row: AiBoxRow): AiBoxBubble
  present(scope: Scope, row: AiBoxRow, language: Language): AiBoxAlarm
}

export function createAiBoxPresentation(storage: Pick<Storage, 'address'>): AiBoxPresentation {
  function bubbleOf(scope: Scope, row: AiBoxRow): AiBoxBubble {
    const { id, eventTime, eventType, eventTypeName, ipcName, deviceId, deviceName, fileId } = row
    return {
      id,
      bubbleType: alertBubbleType.aiBoxAlarm,
      eventTime,
      imagePath: fileId === null ? '' : storage.address(scope, fileId, 'full'),
      eventType,
      eventTypeName: eventTypeName || eventType,
      ipcName,
      level: row.level as AiBoxBubble['level'],
      deviceId,
      deviceName,
      status: row.status as AiBoxBubble['status'],
      escalatedAt: row.escalatedAt,
    }
  }

  function present(scope: Scope, row: AiBoxRow, language: Language): AiBoxAlarm {
    const { bubbleType: _, ...shown } = bubbleOf(scope, row)
    const { receivedAt, operator, dealingRecord, dealtAt } = row
    return {
      ...shown,
      eventTypeName: eventWord(language, row.eventType, row.eventTypeName),
      receivedAt,
      operator,
      dealingRecord,
      dealtAt,
      can: { dispose: canDispose(row) },
    }
  }

  return { bubbleOf, present }
}
