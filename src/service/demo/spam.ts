import { sender } from './people.ts'
import type { ThreadDraft } from './thread-draft.ts'

const junk = (name: string, email: string, subject: string, text: string): ThreadDraft => ({
  subject,
  unread: true,
  letters: [{ from: sender(name, email), text, authentication: 'fail' }],
})

/** Ordinary spam: unwanted, but it does nothing. The dangerous ones are in `hostile-spam.ts`. */
export const spam: readonly ThreadDraft[] = [
  junk(
    'Search Ranking Heroes',
    'kevin@rank-heroes.example',
    'I was on your website and found 27 errors',
    `Hi Owner,\n\nI was on your website Larkspur and found 27 errors that stop you from being number 1. I have made a free video of 4 minutes in which I look at it and sigh.\n\nShall I send the video?\n\nKevin`,
  ),
  junk(
    'Kevin',
    'kevin2@rank-heroes.example',
    'Re: Re: your 29 errors',
    `Hi Owner,\n\njust floating this to the top of your inbox. It is 29 errors now.\n\nKevin`,
  ),
  junk(
    'Barrister Clement Adu-Boateng',
    'chambers.adu@legal-estate.example',
    'REGARDING THE ESTATE OF LATE MR. LARKSPUR',
    `Dear Beloved Relative,\n\nI am the barrister to late Engineer R. Larkspur, a national of your country, who died with his entire family and left USD 14,300,000 (Fourteen Million Three Hundred Thousand) in a bank known to me. As you bear the same name I wish to present you as the next of kin.\n\nKindly keep this between us and send your telephone, your passport and your age.`,
  ),
  junk(
    '开票代理',
    'fapiao88@kaipiao.example',
    '代开各类发票，税点优惠，先开后付',
    `您好：\n\n本公司长期代开餐饮、服务、广告、运输等各类发票，税点 1.5% 起，先开后付，验证后付款。\n\n联系人：王经理（微信同号）`,
  ),
  junk(
    'Dr. Weightloss',
    'offers@slim-kitchen.example',
    'Chefs HATE this one 🔥🔥🔥 fat-burning trick',
    `One simple kitchen ingredient melts 9 kg in 9 days. Chefs do not want you to know it, since it is already in your cupboard.\n\nIt is a spoon. Order the spoon now: three for two.`,
  ),
  junk(
    'Parcel Service',
    'notice@parcel-hold-centre.example',
    'Your parcel could not be delivered: pay €1.79',
    `Your parcel LX 4471 993 is waiting in our centre because of an unpaid fee of €1.79.\n\nPay within 12 hours or it goes back to the sender.\n\nhttps://parcel-hold-centre.example/pay?id=LX4471993`,
  ),
  junk(
    'Марина',
    'marina.1991@znakomstva.example',
    'Привет, помнишь меня? 💌',
    `Привет! Мы познакомились летом на побережье, ты обещал написать. Я нашла твой адрес и решилась первая.\n\nМои фото здесь, только никому не показывай.`,
  ),
  junk(
    'Crypto Bakery',
    'rise@doughcoin.example',
    'Your dough is rising: 4,812 DOUGH credited',
    `Congratulations baker,\n\n4,812 DOUGH (about $96,240) have been credited to your oven. To take them out, deposit 0.02 for the yeast.\n\nThis offer proves for 24 hours only.`,
  ),
  junk(
    'HR Department',
    'hr-payroll@larkspur-example.example.net',
    'Action required: confirm your bank details for November salary',
    `Dear employee,\n\nDue to a new system the November salary is paid only to confirmed accounts. Confirm yours by replying with IBAN and date of birth until 17:00.\n\nHR Department`,
  ),
  junk(
    'Lumina Lamps Co., Ltd',
    'sales07@lumina-lamps.example',
    'LED high bay light 150 W, best price for your esteemed company',
    `Dear Purchasing Manager,\n\nGlad to know that you are in the market of LED high bay light. We are factory for 15 years with 3,000 square meter and 2 dogs. Price: 150 W, USD 21.40 FOB.\n\nWaiting for your kindly reply.\n\nCherry`,
  ),
  junk(
    'Prix Gagnant',
    'resultat@loterie-boulange.example',
    'FÉLICITATIONS : vous avez gagné un fournil',
    `Cher gagnant,\n\nvotre adresse a été tirée au sort parmi 2,3 millions de boulangers. Vous gagnez un four à sole d’une valeur de 48 000 €. Frais de dossier : 149 €, par coupon prépayé.`,
  ),
  junk(
    'Mrs. Agnes Whitlow',
    'agnes.whitlow@charity-hands.example',
    'Piano for free (my late husband’s)',
    `Hello,\n\nI am giving away my late husband's baby grand piano to a passionate lover of music, a café would be wonderful. You only pay the movers, whom I know and trust, in advance.\n\nGod bless,\nAgnes`,
  ),
  junk(
    'Webinar Desk',
    'invite@growth-stack.example',
    'Scale your 7-figure café with AI agents (last 3 seats)',
    `Your competitors already let an agent write the rota, bake the bread and answer the guests. Do you?\n\nJoin Brad, who scaled from one to forty-one cafés and back, for a free masterclass worth $1,997.`,
  ),
  junk(
    'Mailbox Administrator',
    'admin@webmail-quota.example',
    'Your mailbox is 98 % full, 14 messages are held back',
    `Dear support@larkspur.example,\n\n14 incoming messages are waiting on the server because your quota is reached. Release them now or they are deleted in 6 hours.\n\nhttps://webmail-quota.example/release`,
  ),
  junk(
    '유명 브랜드',
    'sale@brand-outlet.example',
    '(광고) 명품 시계 최대 90% 할인, 오늘 자정 마감',
    `(광고) 스위스산 무브먼트, 정품급 마감. 오늘 자정까지 90% 할인.\n\n수신거부를 누르시면 더 많은 광고를 받으실 수 있습니다.`,
  ),
  junk(
    'عرض حصري',
    'offers@dubai-invest.example',
    'استثمر ١٠٠ دولار واربح ٣٠٠٠ خلال أسبوع',
    `فرصة لا تتكرر: استثمر ١٠٠ دولار اليوم واسحب ٣٠٠٠ دولار يوم الخميس. أكثر من ٩٠٠٠ عميل سعيد.\n\nالعدد محدود جدًا.`,
  ),
  junk(
    'Guest Posts',
    'editor@link-garden.example',
    'Quick question about a guest post on your blog',
    `Hey there,\n\nI love your blog, above all the article about [ARTICLE]. I have written a piece of 900 words on "Why online casinos are like sourdough" that would fit your readers.\n\nWhat do you charge for two follow links?`,
  ),
  junk(
    'Cheap Toner 4U',
    'toner@ink-depot.example',
    'TONER!!! for your OSTRAVA 9000',
    `We have noticed that you talk about printers. Original compatible toner for OSTRAVA 9000 and 640 other models, minus 70 %.`,
  ),
  junk(
    'Office of the Lottery',
    'claims@euro-jackpot.example',
    'Winning no. 07-11-19-23-42 (second and last notice)',
    `Your e-mail address has won 850,000.00 EUR in the category "addresses beginning with s". To claim it, appoint an agent and stay calm.`,
  ),
  junk(
    'Polski Kredyt 24',
    'wniosek@kredyt-24.example',
    'Wstępna decyzja: 50 000 zł bez BIK',
    `Szanowni Państwo,\n\nkredyt do 50 000 zł bez sprawdzania baz, decyzja w 3 minuty. Wystarczy numer PESEL i skan dowodu, najlepiej obustronny.`,
  ),
  junk(
    'Anonymous',
    'u7731@dark-webcam.example',
    'I have recorded you',
    `I have put a program on your device and I have seen everything: how you make the rota at night, how you sigh, how you eat over the keyboard.\n\nPay 0.05 or I will send the recording to your contacts. You have 48 hours from the opening of this message.`,
  ),
  junk(
    'Solar Roof Advisers',
    'advice@solar-roof.example',
    'Your tea room qualifies for 0 € solar (region: Unknown)',
    `Dear inhabitant of [Region],\n\nthe government pays, we climb, you save. Only 11 roofs left in Unknown.`,
  ),
]
