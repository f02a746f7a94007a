/** Where the OpenID Connect provider sends browsers back to, below the origin of the console. */
export const openIdEnd = '/sign-in/openid/end';
