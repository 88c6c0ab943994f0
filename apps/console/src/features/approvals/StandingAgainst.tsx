/** Who stands against a written rule already, as the form has it: saving it takes nothing from them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Form } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { PAGE_SIZE_OPTIONS, PAGE_START } from '@gatehouse/contract'
import { readOptions } from '../../api/query.ts'
import { check } from '../../api/schema.ts'
import { Unanswered } from '../../kit/detail/Unanswered.tsx'
import { useSettled } from '../../kit/useSettled.ts'
import { BreakersDrawer } from './BreakersDrawer.tsx'
import type { WrittenRuleValues } from './writtenRuleValues.ts'
import styles from './writtenRules.module.css'

export function StandingAgainst() {
  const { t } = useTranslation('approvals')
  const { name: _, ...deciding } = Form.useWatch<WrittenRuleValues | undefined>([], Form.useFormInstance()) ?? {}
  const text = JSON.stringify(deciding)
  const settled = useSettled(text)
  const [open, setOpen] = useState(false)
  const body = { ...(JSON.parse(settled ?? '{}') as WrittenRuleValues) }
  const { everybodyExcept, kinds = [], personGroupIds = [], personIds = [], deviceIds = [], deviceGroupIds = [] } = body
  const whole =
    (everybodyExcept === true || kinds.length + personGroupIds.length + personIds.length > 0) &&
    deviceIds.length + deviceGroupIds.length > 0 &&
    'data' in check(writtenRuleCalls.standing.body, body)
  const standing = useQuery({
    ...readOptions(writtenRuleCalls.standing, { body: { ...body, page: PAGE_START, size: PAGE_SIZE_OPTIONS[0] } }),
    enabled: whole,
    placeholderData: keepPreviousData,
  })
  if (!whole) return null
  const { data, isError } = standing
  if (data === undefined || isError) return <Unanswered title={t('standing.unanswered')} asked={standing} />
  return (
    <div className={styles.standing} data-none={data.total === 0 || undefined} role="status" aria-label={t('standing.title')}>
      <span>{data.total === 0 ? t('standing.nobody') : t('standing.some', { count: data.total })}</span>
      {data.total > 0 && (
        <Button size="small" onClick={() => setOpen(true)}>
          {t('standing.show')}
        </Button>
      )}
      <BreakersDrawer open={open} title={t('standing.title')} call={writtenRuleCalls.standing} body={body} close={() => setOpen(false)} />
    </div>
  )
}
