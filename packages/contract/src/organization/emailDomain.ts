import { z } from 'zod';

/** Providers that give anyone an address, so an address there proves no membership. */
const publicProviders = new Set(
  (
    '126.com 163.com aim.com aol.com att.net bk.ru bluewin.ch btinternet.com comcast.net cox.net daum.net duck.com fastmail.com fastmail.fm ' +
    'foxmail.com free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hanmail.net hey.com hotmail.co.uk hotmail.com ' +
    'hotmail.de hotmail.fr hotmail.it hushmail.com icloud.com inbox.ru laposte.net libero.it list.ru live.com live.co.uk live.fr mac.com ' +
    'mail.com mail.ru mailbox.org mailinator.com me.com msn.com naver.com orange.fr outlook.com outlook.de outlook.fr pm.me posteo.de ' +
    'proton.me protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com sbcglobal.net seznam.cz sfr.fr sina.com sky.com ' +
    't-online.de tuta.com tutanota.com verizon.net virgilio.it wanadoo.fr web.de wp.pl yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com ' +
    'yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.in yahoo.it yandex.com yandex.ru yeah.net ymail.com zoho.com'
  ).split(' '),
);

const hostName =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,57}[a-z0-9])$/;

/** The part of e-mail addresses after the `@`, in lower case. */
export const EmailDomain = z
  .string()
  .toLowerCase()
  .superRefine((domain, context) => {
    if (!hostName.test(domain)) context.addIssue('must be a host name such as example.org');
    else if (publicProviders.has(domain))
      context.addIssue(`must not be ${domain}, where anyone can have an address`);
  })
  .meta({ maxLength: 253 });

/** Returns the domain of an e-mail address, in lower case. */
export function emailDomainOf(email: string | undefined): string | undefined {
  return email?.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
