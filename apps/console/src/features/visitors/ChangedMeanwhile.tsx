/** Says that a visit has changed since it was read, and reads the list again. */
import { useQueryClient } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useEffect } from 'react'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { readAfter } from '../../api/query.ts'
import { sentenceOf, type Refusal } from '../../api/refusal.ts'

export function ChangedMeanwhile({ refusal }: { refusal: Refusal }) {
  const cache = useQueryClient()
  useEffect(() => void readAfter(cache, visitorCalls.list), [cache, refusal])
  return <Alert type="error" showIcon role="alert" title={sentenceOf(refusal)} />
}
