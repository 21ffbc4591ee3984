import { japaneseByHand, russianByHand, westernByHand } from './legacy-charset-letters.ts'
import { agents, customers } from './people.ts'
import { rotaScreenshot } from './letter-pictures.ts'
import type { ThreadDraft } from './thread-draft.ts'

const { mara, tomasz } = agents

/** Letters in the languages and scripts of the customers; three of them in charsets from before UTF-8. */
export const lettersInManyLanguages: readonly ThreadDraft[] = [
  {
    subject: 'Schichttausch über Mitternacht: Stunden landen am falschen Tag',
    labels: ['Bug', 'Billing'],
    unread: true,
    letters: [
      {
        from: customers.hanna,
        text: `Guten Morgen,

bei uns beginnt die Backschicht um 23 Uhr. Tauschen zwei Kollegen, dann bucht Larkspur die ganze Schicht auf den Vortag, die Zuschläge für Sonn- und Feiertage also auf einen Samstag. Ohne Tausch stimmt alles.

Betroffen sind seit der Umstellung sieben Schichten, ich habe sie im Bildschirmfoto markiert. Für die Lohnabrechnung bräuchte ich die Korrektur bis übermorgen; zur Not trage ich sie von Hand nach.

Viele Grüße aus der warmen Backstube
Hanna Vogel`,
        files: [rotaScreenshot('Backschichten Straßenfest.png', 3)],
      },
    ],
  },
  {
    subject: 'Traduction : « ouverture » et « mise en place » ne sont pas la même chose',
    labels: ['Feedback'],
    unread: true,
    letters: [
      {
        from: customers.claire,
        text: `Bonjour,

Dans la dernière version, la tâche du matin s’appelle « ouverture ». Chez nous, l’ouverture, c’est quand on lève le rideau ; avant, il y a deux heures de mise en place, et c’est là que les heures de nuit comptent.

Mes vendeuses sont arrivées à l’heure de l’ouverture. Les croissants, eux, étaient en retard.

Serait-il possible de renommer les tâches soi-même ?

Bien à vous,
Claire Aubert`,
      },
      {
        from: mara,
        hoursLater: 3,
        text: `Bonjour Claire,

Vous avez raison, et les croissants aussi. On peut renommer chaque tâche sous Réglages, Tâches ; je me suis permis d’ajouter « mise en place » à votre modèle, de 4 h 30 à 6 h 30. Dites-moi si les heures vous conviennent.

Je transmets le mot à notre traducteur, qui est belge et qui s’excuse.`,
      },
      { from: customers.claire, text: `Les heures sont parfaites. Merci, et sans rancune pour la Belgique.` },
    ],
  },
  {
    subject: 'Vacaciones de agosto: ¿se pueden bloquear semanas enteras?',
    labels: ['Feature request'],
    letters: [
      {
        from: customers.rosa,
        text: `Hola:

En agosto la playa está llena y nadie puede irse, pero todos los años, en enero, me piden precisamente esas dos semanas. Las rechazo una por una y luego en cada cena de Navidad me llaman «la señora del no».

¿Se puede bloquear del 1 al 20 para que ni siquiera se pueda pedir? Así el «no» lo dice el programa y no yo.

Un abrazo desde Cádiz,
Rosa`,
      },
    ],
  },
  {
    subject: 'Zmiana języka na tablecie wraca po każdym restarcie',
    labels: ['Bug'],
    letters: [
      {
        from: customers.olek,
        text: `Dzień dobry,

ustawiam na tablecie polski, a po każdym ponownym uruchomieniu wraca angielski. Pani Krystyna, która piecze u nas od 1987 roku, uważa, że „Clock in” to po angielsku „zegar w środku”, i szuka go w tablecie.

Czy można ustawić język na stałe?

Pozdrawiam serdecznie
Aleksandra Nowicka`,
      },
      {
        from: tomasz,
        text: `Dzień dobry Pani Aleksandro,

można: Ustawienia, To urządzenie, „Język tablicy” (a nie „Mój język”, bo ten znika przy wylogowaniu). Zmieniłem to właśnie zdalnie, proszę tylko raz odświeżyć ekran.

Pani Krystynie proszę przekazać, że zegar rzeczywiście jest w środku, ale bardzo mały.`,
      },
      { from: customers.olek, text: `Działa! Pani Krystyna pozdrawia i przesyła w myślach drożdżówkę.` },
    ],
  },
  {
    subject: '年末年始のシフト、祝日の色が付かない件',
    labels: ['Bug'],
    unread: true,
    letters: [
      {
        from: customers.yuki,
        text: `Larkspur サポート御中

いつもお世話になっております。朝顔珈琲の森田です。

年末年始のシフトを作成しておりますが、12月29日から1月3日までの休業日に色が付きません。祝日の設定は「日本」になっております。元日だけは赤くなるのですが、三が日は平日のままです。

スタッフが間違えて出勤してしまうといけませんので、ご確認いただけますと幸いです。

どうぞよろしくお願いいたします。

森田 由紀
朝顔珈琲 京都`,
      },
    ],
  },
  {
    subject: '关于门店之间调班的两个问题',
    labels: ['Waiting'],
    unread: true,
    letters: [
      {
        from: customers.wei,
        text: `您好：

我们在杭州有六家茶馆，春茶上市的时候，员工常常要从一家店临时调到另一家店。

第一，调班以后，工时算在哪一家店？财务需要按实际工作的门店分摊。
第二，员工的手机上能不能显示新店的地址和地铁站？上个月有一位新同事走到了旧店，喝了两杯茶才发现。

盼复，谢谢！

陈薇
清河茶馆 运营部`,
      },
      {
        from: mara,
        text: `Dear Ms Chen,

Thank you for writing. I answer in English and hope that this is all right.

First: the hours belong to the place where the shift is, not to the home place of the person. The export has both columns.
Second: yes. If the address of each tea house is filled in, a shift elsewhere shows it with a map. The underground station can go into "How to get here"; four of your six houses have none yet.`,
      },
      { from: customers.wei, text: `非常清楚，谢谢！剩下的四家店我今天就补上。欢迎来杭州喝茶。🍵` },
    ],
  },
  {
    subject: '주휴수당 계산 기능 문의드립니다',
    labels: ['Feature request', 'Billing'],
    unread: true,
    letters: [
      {
        from: customers.minjun,
        text: `안녕하세요, 하늘 베이커리 김민준입니다.

한국에서는 일주일에 15시간 이상 근무하면 하루치 주휴수당을 지급해야 합니다. 지금은 엑셀로 따로 계산하고 있는데, 새벽에 반죽하고 나서 계산하다 보니 자꾸 틀립니다. 😅

혹시 주 15시간이 넘는 직원을 근무표에서 표시해 주실 수 있을까요? 표시만 되어도 큰 도움이 될 것 같습니다.

감사합니다.
김민준 드림`,
      },
    ],
  },
  {
    subject: 'جدول رمضان: ساعات الدوام بعد الإفطار',
    labels: ['Feature request'],
    unread: true,
    letters: [
      {
        from: customers.layla,
        text: `مساء الخير،

في رمضان نفتح المطبخ بعد الإفطار ونغلق قبل السحور، أي من السابعة مساءً حتى الثالثة صباحًا. المشكلة أن موعد الإفطار يتغيّر دقيقةً أو دقيقتين كل يوم، فأعدّل 30 يومًا لكل موظف يدويًا.

هل يمكن أن يبدأ الدوام «بعد المغرب بربع ساعة» بدلًا من ساعة ثابتة؟ نستخدم الخطة Corner ولدينا 19 موظفًا.

مع الشكر والتقدير،
ليلى حداد
مطبخ زيتون`,
      },
    ],
  },
  {
    subject: 'סגירה מוקדמת ביום שישי – איך מגדירים?',
    labels: ['Waiting'],
    letters: [
      {
        from: customers.noa,
        text: `שלום,

ביום שישי אנחנו סוגרים שעתיים לפני כניסת השבת, והשעה משתנה כל שבוע. כרגע אני מעדכנת ידנית ושוכחת בערך פעם בחודש.

יש דרך להגדיר "סוף משמרת" לפי זמן השקיעה? אם לא, גם תזכורת ביום חמישי (ב-Slack או ב-SMS) תעזור.

תודה רבה!
נועה, פינת הקפה`,
      },
      {
        from: mara,
        text: `Shalom Noa,

There is no sunset yet, but you are the second person to ask this month (the other one needs it for Ramadan), so it has become one wish with two good reasons.

Until then I have put a reminder on your account: Thursdays at 11, by text message, with the time of sunset for Haifa in it.`,
      },
      { from: customers.noa, text: `מושלם, תודה! התזכורת הגיעה היום בדיוק ב־11:00 🌇` },
    ],
  },
  {
    subject: 'शिफ़्ट बदलने की सूचना हिंदी में कैसे मिले?',
    labels: ['Feature request'],
    unread: true,
    letters: [
      {
        from: customers.arjun,
        text: `नमस्ते,

हमारी रसोई में 27 लोग हैं और ज़्यादातर हिंदी में ही पढ़ते हैं। ऐप हिंदी में है, बहुत अच्छा है, लेकिन शिफ़्ट बदलने का SMS अब भी अंग्रेज़ी में आता है: "Your shift was moved". कल दो लोग समझ नहीं पाए और सुबह 6 बजे आ गए। मैंने उन्हें चाय पिलाई और घर भेज दिया।

क्या SMS की भाषा भी बदली जा सकती है?

धन्यवाद,
अर्जुन मेहता
चाय आँगन, जयपुर`,
      },
    ],
  },
  {
    subject: 'Εποχικό προσωπικό: παύση λογαριασμών τον χειμώνα',
    labels: ['Billing'],
    letters: [
      {
        from: customers.eleni,
        text: `Καλημέρα σας,

Η ταβέρνα κλείνει στις 31 Οκτωβρίου και ανοίγει πάλι το Πάσχα. Από τους 22 ανθρώπους μένουμε τρεις και η γάτα.

Πρέπει να διαγράψω τους υπόλοιπους για να μην πληρώνω, ή υπάρχει κάτι σαν «χειμερία νάρκη»; Οι περισσότεροι επιστρέφουν κάθε χρόνο και θα ήθελα να κρατήσουν τις ώρες τους.

Ευχαριστώ πολύ,
Ελένη Παππά`,
      },
      {
        from: mara,
        text: `Kaliméra Eleni,

Hibernation exists, and it is even called that: People, select the nineteen, "Hibernate until", and a date. They cost nothing, keep their hours and get a message two weeks before they are due back.

The cat is free on every plan.`,
      },
    ],
  },
  {
    subject: 'Вопрос по счёту за ноябрь',
    labels: ['Billing'],
    unread: true,
    letters: [{ from: customers.irina, byHand: russianByHand }],
  },
  {
    subject: 'ขอใบกำกับภาษีย้อนหลัง และคำถามเรื่องวันหยุดสงกรานต์',
    labels: ['Billing'],
    unread: true,
    letters: [
      {
        from: customers.somchai,
        text: `เรียน ทีมงาน Larkspur

ร้านบ้านสวนขอใบกำกับภาษีย้อนหลังสำหรับเดือนที่แล้ว เนื่องจากบัญชีของเราต้องใช้เลขประจำตัวผู้เสียภาษีในเอกสาร

อีกเรื่องหนึ่ง วันหยุดสงกรานต์ในระบบมีแค่วันเดียว แต่จริง ๆ แล้วมีสามวัน (13–15 เมษายน) ช่วยแก้ให้ด้วยนะครับ ปีที่แล้วพนักงานเกือบมาทำงานทั้งที่เปียกทั้งตัว 💦

ขอบคุณมากครับ
สมชาย วงศ์ดี`,
      },
    ],
  },
  {
    subject: '山そば：打刻用タブレットの交換について',
    labels: ['Waiting'],
    letters: [{ from: customers.kenji, byHand: japaneseByHand }],
  },
  {
    subject: 'Relevé d’heures : é, è et ç remplacés par des « ? »',
    labels: ['Bug'],
    letters: [{ from: customers.benoit, byHand: westernByHand }],
  },
  {
    subject: '🥐➡️🥨 shift swap between bakeries?',
    labels: ['Feature request', 'Feedback'],
    letters: [
      {
        from: customers.lotte,
        text: `Hoi! 👋

Two bakeries (ours 🥐 and our neighbour’s 🥨, who also use Larkspur) want to lend each other people when somebody is ill. Different companies, same street, same canal 🚲.

Is that possible? Now we do it with a WhatsApp group, three thumbs up 👍👍👍 and hope 🤞.

Groetjes,
Lotte 👩🏽‍🍳`,
      },
      {
        from: tomasz,
        text: `Hoi Lotte,

Not across companies yet, because the hours would have to be paid by two employers and both sets of accountants would cry. What works today is a "guest": 🥨's person gets a guest place with you, sees only the shifts you give them, and their hours are exported separately for the neighbour's payroll.

Three thumbs up and hope remains supported.`,
      },
    ],
  },
  {
    subject: 'Fakturaadresse og ett spørsmål om røde dager',
    labels: ['Billing'],
    letters: [
      {
        from: customers.ingrid,
        text: `Hei,

Kan dere endre fakturaadressen til Solberg Konditori AS, Storgata 14? Regnskapsføreren vår flyttet, og fakturaene går fortsatt til en tannlege.

Og: 1. og 17. mai står som vanlige dager. Det er de definitivt ikke, spør hvem som helst med flagg.

Vennlig hilsen
Ingrid Solberg`,
      },
      {
        from: mara,
        text: `Hei Ingrid,

Address changed; the dentist has been very patient. Both days in May are red again: somebody had chosen "Norway (banks)" as the holiday calendar, and banks, it turns out, have fewer flags.`,
      },
    ],
  },
  {
    subject: 'Vardiya onayı için çok teşekkürler + küçük bir rica',
    labels: ['Feedback'],
    letters: [
      {
        from: customers.ahmet,
        text: `Merhaba,

Vardiya değişikliğini tek dokunuşla onaylamak harika olmuş, elinize sağlık. Fırının başındayken ellerim hep unlu, tek parmak yetiyor.

Küçük bir rica: «Sarıyer» adı raporlarda «Sariyer» olarak çıkıyor; büyük İ ve küçük ı karışıyor galiba. İşin şakası bir yana, belediye belgesinde doğru olması gerekiyor.

Selamlar,
Ahmet Yıldız`,
      },
    ],
  },
  {
    subject: 'Xin hỏi về ca tối Tết Nguyên Đán',
    labels: ['Waiting'],
    letters: [
      {
        from: customers.thuy,
        text: `Chào các bạn,

Quán Phở Bến Thành nghỉ Tết năm ngày, nhưng ngày Tết theo âm lịch nên mỗi năm một khác. Lịch trong ứng dụng chưa có, mình phải tự nhập.

Các bạn có thể thêm lịch nghỉ lễ Việt Nam không? Nếu cần, mình gửi danh sách cho mười năm tới, bà ngoại mình thuộc hết.

Cảm ơn nhiều,
Thủy`,
      },
    ],
  },
]
