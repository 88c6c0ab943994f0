/** Words that users type for pages and actions besides their titles, in all three languages: they are searched, and never shown. */
import type { ScreenName } from '../../screens.ts'

const words: Partial<Record<ScreenName, string>> = {
  staffList: 'people|persons|employees|人员列表|人员管理|人員清單|人員管理',
  customerList: 'guests|来宾|來賓',
  blacklist: 'watch list|blacklist|special attention|wanted|黑名单|布控|特别关注|黑名單|特別關注',
  staffApproveTab: 'applications|review|审批|申请|審批|申請',
  oneToN: 'find by face|who is this|以图搜人|搜脸|以圖搜人|搜臉',
  staffImport: 'bulk import|Excel|spreadsheet|批量导入|表格|批次匯入|試算表',
  photoBoard: 'without photo|没有照片|补照片|沒有照片|補照片',
  secondPhotographs: 'second photo|one photo|refused twice|第二张照片|只有一张照片|第二張照片|只有一張照片',
  enrolmentLinks: 'invitation|registration link|QR code|自助采集|二维码|自助採集|QR Code',
  customize: 'custom fields|自定义字段|自訂欄位',
  privacyPolicy: 'retention|consent|GDPR|保存期限|个人信息保护|個資保護',
  erasures: 'right to be forgotten|删除个人信息|刪除個資',
  deviceList: 'doors|terminals|cameras|门点|终端|摄像头|門點|終端|攝影機',
  deviceConfig: 'device settings|终端设置|終端設定',
  deviceUpgradeNotPrivatization: 'firmware|update|固件|更新|韌體',
  faceTrack: 'find by face|where was|track|follow a face|以图搜人|人员轨迹|找人|以圖搜人|人員軌跡|尋人',
  issuedCards: 'badges|门卡|IC 卡|門卡',
  passStrategy: 'access rules|permissions|strategy|权限|授权|谁能进|權限|授權|誰能進',
  timeRule: 'schedules|working hours|时段|排班|時段',
  writtenRules: 'compliance rules|written rules|policy|成文规定|成文規定|合规规则|规章|合規規則|規章',
  pendingChanges: 'confirmation|four eyes|双人确认|待确认|雙人確認|待確認',
  accessRestriction: 'anti-passback|occupancy|反潜回|人数限制|反潛回|人數限制',
  staffCurrent: 'passages|events|history|进出记录|门禁记录|日志|進出記錄|門禁記錄|日誌',
  guardMode: 'full screen|live view|guard room|全屏|实时监看|门卫|保安|全螢幕|即時監看|警衛|保全',
  strangerRecords: 'unknown people|未识别|未辨識',
  accessStatistics: 'reports|charts|报表|图表|報表|圖表',
  faceCorrections: 'misidentified|false match|认错人|误识|認錯人|誤識',
  exportRecord: 'downloads|下载|下載',
  facePolicy: 'match threshold|strictness|similarity|识别阈值|相似度|辨識閾值',
  faceLiveness: 'anti-spoofing|防假体|防翻拍|防假體',
  userManage: 'accounts|operators|账号|管理员|帳號|管理員',
  roleManage: 'permissions|rights|权限|權限',
  apiUserManage: 'API keys|接口|密钥|介面|金鑰',
  regionManage: 'departments|sites|部门|园区|部門|園區',
  basicSettings: 'general|通用设置|一般設定',
  userLog: 'audit|log|日志|审计|日誌|稽核',
  readLog: 'log|privacy log|日志|谁看过|日誌|誰看過',
  messageOutbox: 'e-mail|SMS|邮件|短信|郵件|簡訊',
  noticeSettings: 'announcements|通知',
  uiSettings: 'logo|branding|标志|主题|標誌|主題',
  ipSettings: 'URL|网址|地址|網址|位址',
  screenSettings: 'dashboard|看板',
  about: 'version|licence|版本|许可|授權',
  serviceMonitor: 'health|CPU|memory|disk|健康|内存|磁盘|記憶體|磁碟',
  deviceLimit: 'quota|配额|配額',
}
export const otherNamesOf = (screen: ScreenName): string[] => words[screen]?.split('|') ?? []

/** Words at the start or end of a text that requests an action, the longest first. */
const VERBS = {
  open: ['open the door of', 'open door', 'unlock', 'open', '远程开门', '遠端開門', '打开', '开门', '打開', '開門', '开', '開'],
  disable: ['disable', 'suspend', 'block', '停用', '禁用'],
  enable: ['unblock', 'enable', '启用', '恢复', '啟用', '恢復'],
} as const
export type Verb = keyof typeof VERBS

const isLatin = (text: string): boolean => /^[\p{Script=Latin}\s]+$/u.test(text)

/**
 * Return the person or thing that a text requests to open, disable or enable; undefined where it requests nothing.
 * `objectOf('open', '开门 东门')` is `东门`.
 */
export function objectOf(verb: Verb, typed: string): string | undefined {
  const text = typed.trim().toLowerCase()
  for (const word of VERBS[verb]) {
    if (text === word) return ''
    // A Latin word ends at a space: `opened` requests nothing.
    const gap = isLatin(word) ? ' ' : ''
    if (text.startsWith(word + gap)) return typed.trim().slice(word.length).trim()
    // A single character at the end is part of a name: `公开`.
    if (word.length > 1 && text.endsWith(gap + word)) return typed.trim().slice(0, -word.length).trim()
  }
  return undefined
}
