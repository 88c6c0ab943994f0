/** The fields of a person, named as in the write calls: the photograph first. */
import { Form, Input, Segmented, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { FACES_PER_PERSON } from '@gatehouse/contract'
import { gender } from '@gatehouse/contract/enums/people'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import { peopleCalls, type PersonGroupNode } from '@gatehouse/contract/people/calls'
import { DateField } from '../../kit/DateField.tsx'
import { useEnumOptions } from '../../kit/EnumTag.tsx'
import { InstantField } from '../../kit/InstantField.tsx'
import { PhotoField } from '../../kit/PhotoField.tsx'
import { useRead } from '../../kit/query.ts'
import { useFaceWanted } from './personValues.ts'
import styles from './people.module.css'

interface Choice {
  value: string
  title: string
  children: Choice[]
}
const choiceOf = ({ id, name, children }: PersonGroupNode): Choice => ({ value: id, title: name, children: children.map(choiceOf) })

interface PersonFieldsProps {
  /** Pictures of the faces the person already has. */
  known?: FacePhoto[] | undefined
  /** Absent while the person is still to be registered. */
  personId?: string | undefined
}

export function PersonFields({ known, personId }: PersonFieldsProps) {
  const { t } = useTranslation('people')
  const optionsOf = useEnumOptions()
  const groups = useRead(peopleCalls.groupTree, { query: { type: 1 } })
  const faceWanted = useFaceWanted()
  return (
    <>
      <Form.Item name="facePhotos" label={t('photos', { count: FACES_PER_PERSON })} required={faceWanted}>
        <PhotoField known={known ?? []} personId={personId} />
      </Form.Item>
      <div className={styles.fields}>
        <Form.Item name="name" label={t('name')} required><Input maxLength={32} autoComplete="off" /></Form.Item>
        <Form.Item name="groupId" label={t('group')} required>
          <TreeSelect treeData={(groups.data ?? []).map(choiceOf)} loading={groups.isPending} treeDefaultExpandAll showSearch={{ treeNodeFilterProp: 'title' }} placeholder={t('chooseGroup')} />
        </Form.Item>
        <Form.Item name="workNumber" label={t('workNumber')}><Input maxLength={32} autoComplete="off" /></Form.Item>
        <Form.Item name="phone" label={t('phone')}><Input maxLength={32} autoComplete="off" inputMode="tel" /></Form.Item>
        <Form.Item name="validFrom" label={t('validFrom')}><InstantField as="start" /></Form.Item>
        <Form.Item name="validTo" label={t('validTo')} extra={t('validToHint')}><InstantField as="end" /></Form.Item>
        <Form.Item name="gender" label={t('gender')}><Segmented options={optionsOf(gender)} /></Form.Item>
        <Form.Item name="birthday" label={t('birthday')}><DateField /></Form.Item>
        <Form.Item name="cardNumber" label={t('cardNumber')}><Input maxLength={32} autoComplete="off" /></Form.Item>
        <Form.Item name="idNumber" label={t('idNumber')}><Input maxLength={32} autoComplete="off" /></Form.Item>
      </div>
      <Form.Item name="remark" label={t('remark')}><Input.TextArea maxLength={100} showCount autoSize={{ minRows: 2, maxRows: 4 }} /></Form.Item>
    </>
  )
}
