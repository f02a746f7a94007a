// A SAML identity provider over crewjam/saml, for the tests of signing in. It signs in whom a test names, and
// makes its responses wrong as the test says.
//
// It reads its certificate and key from the first line of its input, writes its port to its output, and ends
// with its input.
package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/crewjam/saml"
)

// The keys, as PEM.
type keys struct{ Cert, Key string }

// IdpSettings of identityProvider.ts; times are in seconds.
type settings struct {
	Issuer               string
	SignResponse         bool
	SignAssertion        bool
	LifetimeInSeconds    int
	ClockOffsetInSeconds int
	SignatureAlgorithm   string
	NameIdentifierFormat string
	Recipient            string
	Audience             string
	SamlStatusCode       string
	Metadata             string
}

type user struct{ ID, DisplayName, Email string }

type question struct {
	Settings settings
	User     user
}

type answer struct {
	Response string `json:"response"`
	PostURL  string `json:"postUrl"`
}

func main() {
	input := bufio.NewReader(os.Stdin)
	line, err := input.ReadBytes('\n')
	check(err)
	var given keys
	check(json.Unmarshal(line, &given))
	pair, err := tls.X509KeyPair([]byte(given.Cert), []byte(given.Key))
	check(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	ssoURL := url.URL{Scheme: "http", Host: listener.Addr().String(), Path: "/sso"}
	http.HandleFunc("POST /sso", func(w http.ResponseWriter, r *http.Request) {
		result, err := respond(r, pair, ssoURL)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		check(json.NewEncoder(w).Encode(result))
	})
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go func() { check(http.Serve(listener, nil)) }()
	_, err = io.Copy(io.Discard, input)
	check(err)
}

// Answers the request in the query of a URL; the body says how.
func respond(r *http.Request, pair tls.Certificate, ssoURL url.URL) (*answer, error) {
	var asked question
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return nil, err
	}
	issuer, err := url.Parse(asked.Settings.Issuer)
	if err != nil {
		return nil, err
	}
	idp := saml.IdentityProvider{
		Key:                     pair.PrivateKey,
		Certificate:             pair.Leaf,
		MetadataURL:             *issuer,
		SSOURL:                  ssoURL,
		ServiceProviderProvider: service(asked.Settings.Metadata),
		SignatureMethod:         "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
	}
	if asked.Settings.SignatureAlgorithm == "rsa-sha1" {
		idp.SignatureMethod = "http://www.w3.org/2000/09/xmldsig#rsa-sha1"
	}
	// As the browser asks that follows the redirect.
	r.Method = http.MethodGet
	request, err := saml.NewIdpAuthnRequest(&idp, r)
	if err != nil {
		return nil, err
	}
	if err := request.Validate(); err != nil {
		return nil, err
	}
	request.Now = request.Now.Add(time.Duration(asked.Settings.ClockOffsetInSeconds) * time.Second)
	if err := makeResponse(request, asked); err != nil {
		return nil, err
	}
	form, err := request.PostBinding()
	return &answer{Response: form.SAMLResponse, PostURL: form.URL}, err
}

// The only service that the provider knows, by the metadata in a question.
type service string

func (metadata service) GetServiceProvider(_ *http.Request, id string) (*saml.EntityDescriptor, error) {
	var known saml.EntityDescriptor
	if err := xml.Unmarshal([]byte(metadata), &known); err != nil {
		return nil, err
	}
	if known.EntityID != id {
		return nil, errors.New("the request is of another service than the metadata")
	}
	return &known, nil
}

func makeResponse(request *saml.IdpAuthnRequest, asked question) error {
	wanted := asked.Settings
	if wanted.SamlStatusCode != "" {
		return request.MakeErrorResponse(wanted.SamlStatusCode, "", "")
	}
	if err := makeAssertion(request, asked); err != nil {
		return err
	}
	if !wanted.SignAssertion {
		request.AssertionEl = request.Assertion.Element()
	}
	if err := request.MakeResponse(); err != nil {
		return err
	}
	if !wanted.SignResponse {
		for _, child := range request.ResponseEl.ChildElements() {
			if child.Tag == "Signature" {
				request.ResponseEl.RemoveChild(child)
			}
		}
	}
	return nil
}

func makeAssertion(request *saml.IdpAuthnRequest, asked question) error {
	wanted := asked.Settings
	session := saml.Session{
		CreateTime:   request.Now,
		Index:        "1",
		NameID:       asked.User.ID,
		NameIDFormat: wanted.NameIdentifierFormat,
		UserEmail:    asked.User.Email,
		// In the attribute `cn`, as the provider sends names.
		UserCommonName: asked.User.DisplayName,
	}
	if err := (saml.DefaultAssertionMaker{}).MakeAssertion(request, &session); err != nil {
		return err
	}
	assertion := request.Assertion
	end := request.Now.Add(time.Duration(wanted.LifetimeInSeconds) * time.Second)
	assertion.IssueInstant = request.Now
	assertion.Conditions.NotOnOrAfter = end
	confirmation := assertion.Subject.SubjectConfirmations[0].SubjectConfirmationData
	confirmation.NotOnOrAfter = end
	confirmation.Recipient = wanted.Recipient
	if wanted.Audience != "" {
		assertion.Conditions.AudienceRestrictions[0].Audience.Value = wanted.Audience
	}
	return nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
